package hostconfig

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/jptool/jptool/internal/phrase"
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
	s = strings.NewReplacer(`"`, `\"`, `\`, `\\`, "\n", `\n`, "\t", `\t`).Replace(strings.ToValidUTF8(s, "\uFFFD"))
	return `"` + phrase.Escape(s, func(r rune) string {
		if r > 0xFFFF {
			return fmt.Sprintf(`\U%08X`, r)
		}
		return fmt.Sprintf(`\u%04X`, r)
	}) + `"`
}

func list(ss []string) string {
	out := make([]string, len(ss))
	for i, s := range ss {
		out[i] = str(s)
	}
	return "[" + strings.Join(out, ", ") + "]"
}

// printTOML returns a value as TOML, or "" if there is no value.
func printTOML(v any) string {
	text, _ := value(v)
	return text
}

// value returns a JSON or TOML value as TOML. It returns false for null and for values that TOML cannot express,
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
