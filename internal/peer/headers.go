package peer

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// annotationName is a keyword in the schema of a parameter. It means that the argument is also sent in an HTTP
// header (MCP 2026-07-28, Streamable HTTP, Custom Headers from Tool Parameters).
const annotationName = "x-mcp-header"

// An annotation assigns a header to the argument at a path.
type annotation struct {
	path   []string
	header string
}

// annotations returns the annotations of a tool's input schema. If it returns an error, the tool must not be
// called over HTTP.
func annotations(schema jsontext.Value) ([]annotation, error) {
	if !bytes.Contains(schema, []byte(annotationName)) {
		return nil, nil
	}
	var root any
	if err := json.Unmarshal(schema, &root); err != nil {
		return nil, err
	}
	return appendAnnotations(nil, root, nil, true)
}

// appendAnnotations appends the annotations of a schema, or of a list of schemas, to found. A schema is reachable if
// only property names lead to it from the root.
func appendAnnotations(found []annotation, schema any, path []string, reachable bool) (_ []annotation, err error) {
	if list, ok := schema.([]any); ok {
		for _, item := range list {
			if found, err = appendAnnotations(found, item, path, false); err != nil {
				return nil, err
			}
		}
	}
	keywords, _ := schema.(map[string]any)
	if header, ok := keywords[annotationName]; ok {
		if found, err = annotate(found, path, reachable, header, keywords["type"]); err != nil {
			return nil, err
		}
	}
	for _, keyword := range slices.Sorted(maps.Keys(keywords)) {
		switch value := keywords[keyword]; keyword {
		case "properties", "$defs", "definitions", "patternProperties", "dependentSchemas":
			named, _ := value.(map[string]any)
			for _, name := range slices.Sorted(maps.Keys(named)) {
				below := append(path[:len(path):len(path)], name)
				if found, err = appendAnnotations(found, named[name], below, reachable && keyword == "properties"); err != nil {
					return nil, err
				}
			}
		case "items", "prefixItems", "contains", "unevaluatedItems", "additionalProperties", "propertyNames",
			"unevaluatedProperties", "allOf", "anyOf", "oneOf", "not", "if", "then", "else":
			if found, err = appendAnnotations(found, value, path, false); err != nil {
				return nil, err
			}
		}
	}
	return found, nil
}

func annotate(found []annotation, path []string, reachable bool, header, typ any) ([]annotation, error) {
	where := strings.Join(path, ".")
	if !reachable || len(path) == 0 {
		return nil, fmt.Errorf("invalid %s at %q: allowed only on properties, and on properties of nested objects", annotationName, where)
	}
	name, ok := header.(string)
	if !ok || !isToken(name) {
		return nil, fmt.Errorf("%s of parameter %q is not a valid header name: %.60q", annotationName, where, fmt.Sprint(header))
	}
	if typ != "string" && typ != "integer" && typ != "boolean" {
		return nil, fmt.Errorf("%s requires parameter %q to have the type string, integer or boolean", annotationName, where)
	}
	if slices.ContainsFunc(found, func(a annotation) bool { return strings.EqualFold(a.header, name) }) {
		return nil, fmt.Errorf("%s %q is used for two parameters", annotationName, name)
	}
	return append(found, annotation{path, name}), nil
}

// isToken reports whether text can be part of a header name (RFC 9110, Tokens).
func isToken(text string) bool {
	return text != "" && strings.IndexFunc(text, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("!#$%&'*+-.^_`|~", r)
	}) < 0
}

// headersFor returns the headers that repeat arguments of a call.
func headersFor(list []annotation, arguments jsontext.Value) map[string]string {
	headers := map[string]string{}
	for _, a := range list {
		value := arguments
		for _, name := range a.path {
			var members map[string]jsontext.Value
			_ = json.Unmarshal(value, &members) // a value that is not an object has no members
			value = members[name]
		}
		if text, ok := headerText(value); ok {
			headers["Mcp-Param-"+a.header] = headerValue(text)
		}
	}
	return headers
}

// headerText returns an argument as the text of a header. It returns false for null and for values whose type
// cannot be annotated.
func headerText(value jsontext.Value) (string, bool) {
	switch value.Kind() {
	case '"':
		var text string
		err := json.Unmarshal(value, &text)
		return text, err == nil
	case 't', 'f':
		return string(value), true
	case '0':
		if _, err := strconv.ParseInt(string(value), 10, 64); err == nil {
			return string(value), true
		}
		f, err := strconv.ParseFloat(string(value), 64)
		const safe = 1<<53 - 1
		return strconv.FormatFloat(f, 'f', -1, 64), err == nil && f == math.Trunc(f) && math.Abs(f) <= safe
	}
	return "", false
}

// headerValue returns text as a header value: unchanged if that is safe, and in Base64 otherwise (MCP
// 2026-07-28, Streamable HTTP, Value Encoding).
func headerValue(text string) string {
	const begin, end = "=?base64?", "?="
	unsafe := strings.IndexFunc(text, func(r rune) bool { return r < ' ' || r > '~' }) >= 0 ||
		strings.TrimSpace(text) != text || strings.HasPrefix(text, begin) && strings.HasSuffix(text, end)
	if !unsafe {
		return text
	}
	return begin + base64.StdEncoding.EncodeToString([]byte(text)) + end
}
