package peer

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// annotationName marks a parameter in the schema of a tool whose argument goes along in a header of HTTP
// (MCP 2026-07-28, Streamable HTTP, Custom Headers from Tool Parameters).
const annotationName = "x-mcp-header"

// An annotation names the header for the argument at a path.
type annotation struct {
	path   []string
	header string
}

// annotations returns those of a tool's input schema. The error says why the tool must not be called over HTTP.
func annotations(schema jsontext.Value) ([]annotation, error) {
	if !bytes.Contains(schema, []byte(annotationName)) {
		return nil, nil
	}
	r := annotationReader{d: jsontext.NewDecoder(bytes.NewReader(schema))}
	if err := r.schema(nil, true); err != nil {
		return nil, err
	}
	return r.found, nil
}

type annotationReader struct {
	d     *jsontext.Decoder
	found []annotation
}

// schema reads a schema. It is reachable if only names of properties lead to it from the root.
func (r *annotationReader) schema(path []string, reachable bool) error {
	if r.d.PeekKind() != '{' {
		return r.d.SkipValue()
	}
	var header, kind jsontext.Value
	err := r.members(func(name string) (err error) {
		switch name {
		case annotationName:
			header, err = r.value()
		case "type":
			kind, err = r.value()
		case "properties":
			err = r.schemas(path, reachable)
		case "$defs", "definitions", "patternProperties", "dependentSchemas":
			err = r.schemas(path, false)
		case "items", "prefixItems", "contains", "unevaluatedItems", "additionalProperties", "propertyNames",
			"unevaluatedProperties", "allOf", "anyOf", "oneOf", "not", "if", "then", "else":
			err = r.within(path)
		default:
			err = r.d.SkipValue()
		}
		return err
	})
	if err != nil || header == nil {
		return err
	}
	return r.annotate(path, reachable, header, kind)
}

func (r *annotationReader) annotate(path []string, reachable bool, header, kind jsontext.Value) error {
	where := strings.Join(path, ".")
	if !reachable || len(path) == 0 {
		return fmt.Errorf("%s is below a keyword other than properties at %q", annotationName, where)
	}
	var name, typ string
	if json.Unmarshal(header, &name) != nil || !isToken(name) {
		return fmt.Errorf("%s of parameter %q is not the name of a header: %.60q", annotationName, where, header)
	}
	if json.Unmarshal(kind, &typ) != nil || typ != "string" && typ != "integer" && typ != "boolean" {
		return fmt.Errorf("%s of parameter %q needs the type string, integer or boolean", annotationName, where)
	}
	if slices.ContainsFunc(r.found, func(a annotation) bool { return strings.EqualFold(a.header, name) }) {
		return fmt.Errorf("%s %q is used for two parameters", annotationName, name)
	}
	r.found = append(r.found, annotation{path, name})
	return nil
}

// within reads the schemas of a keyword that has one, or a list of them. Only properties lead to what may be
// annotated.
func (r *annotationReader) within(path []string) error {
	if r.d.PeekKind() != '[' {
		return r.schema(path, false)
	}
	if _, err := r.d.ReadToken(); err != nil {
		return err
	}
	for r.d.PeekKind() != ']' {
		if err := r.schema(path, false); err != nil {
			return err
		}
	}
	_, err := r.d.ReadToken()
	return err
}

// schemas reads an object of schemas.
func (r *annotationReader) schemas(path []string, reachable bool) error {
	if r.d.PeekKind() != '{' {
		return r.d.SkipValue()
	}
	return r.members(func(name string) error {
		return r.schema(append(path[:len(path):len(path)], name), reachable)
	})
}

func (r *annotationReader) members(read func(name string) error) error {
	if _, err := r.d.ReadToken(); err != nil {
		return err
	}
	for r.d.PeekKind() != '}' {
		name, err := r.d.ReadToken()
		if err != nil {
			return err
		}
		if name.Kind() != '"' {
			return errors.New("the schema cannot be read")
		}
		if err := read(name.String()); err != nil {
			return err
		}
	}
	_, err := r.d.ReadToken()
	return err
}

func (r *annotationReader) value() (jsontext.Value, error) {
	v, err := r.d.ReadValue()
	return v.Clone(), err
}

// isToken reports whether a text can be part of the name of a header (RFC 9110, Tokens).
func isToken(text string) bool {
	return text != "" && strings.IndexFunc(text, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("!#$%&'*+-.^_`|~", r)
	}) < 0
}

// mirror returns the headers for the arguments of a call.
func mirror(list []annotation, arguments jsontext.Value) map[string]string {
	headers := map[string]string{}
	for _, a := range list {
		value := arguments
		for _, name := range a.path {
			var members map[string]jsontext.Value
			_ = json.Unmarshal(value, &members) // what is no object has no members
			value = members[name]
		}
		if text, ok := headerText(value); ok {
			headers["Mcp-Param-"+a.header] = headerValue(text)
		}
	}
	return headers
}

// headerText returns the text of an argument in a header. Null and values of other types than those that may be
// annotated have none.
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

// headerValue returns a text as the value of a header: as it is where that is safe, else in Base64 (MCP
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
