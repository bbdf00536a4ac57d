package hostconfig

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// key returns a name as a TOML key, quoted if necessary.
func key(name string) string {
	bare := name != "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == ""
	if bare {
		return name
	}
	return str(name)
}

func keys(path []string) string {
	out := make([]string, len(path))
	for i, p := range path {
		out[i] = key(p)
	}
	return strings.Join(out, ".")
}

// str returns a TOML basic string.
func str(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i, r := range s {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD"):
			b.WriteRune(utf8.RuneError)
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case unicode.IsControl(r):
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

func list(ss []string) string {
	out := make([]string, len(ss))
	for i, s := range ss {
		out[i] = str(s)
	}
	return "[" + strings.Join(out, ", ") + "]"
}

// printTOML returns a value as TOML, or "" if absent.
func printTOML(v any) string {
	text, _ := value(v)
	return text
}

// value returns a JSON or TOML value as TOML. It reports false for null and for values that TOML cannot express,
// such as integers of more than 64 bits.
func value(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return str(v), true
	case int64:
		return strconv.FormatInt(v, 10), true
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64), true
	case bool:
		return strconv.FormatBool(v), true
	case json.Number:
		_, whole := v.Int64()
		_, err := v.Float64()
		return v.String(), whole == nil || err == nil && strings.ContainsAny(v.String(), ".eE")
	case []any:
		out := make([]string, len(v))
		for i, e := range v {
			text, ok := value(e)
			if !ok {
				return "", false
			}
			out[i] = text
		}
		return "[" + strings.Join(out, ", ") + "]", true
	case map[string]any:
		var out []string
		for _, name := range slices.Sorted(maps.Keys(v)) {
			text, ok := value(v[name])
			if !ok {
				return "", false
			}
			out = append(out, key(name)+" = "+text)
		}
		return "{ " + strings.Join(out, ", ") + " }", true
	}
	return "", false
}
