package hostconfig

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/jptool/jptool/internal/phrase"
)

// A statement is a table header or a key-value pair in TOML text.
type statement struct {
	text   []byte // whole lines; blank lines and comments become statements without a path
	header bool
	path   []string // the path from the root, or nil for blank lines and comments
	braces bool     // the value is an inline table
	added  bool     // the line is new
}

// statements splits text into its statements, in order. Joining the statements gives the original text.
func statements(text []byte) []statement {
	var all []statement
	var header []string
	var open []byte // the lines of a value that is not complete yet
	for line := range bytes.Lines(text) {
		trimmed := bytes.TrimSpace(line)
		switch {
		case open == nil && (len(trimmed) == 0 || trimmed[0] == '#'):
			all = append(all, statement{text: line})
		case open == nil && trimmed[0] == '[':
			header = keyOf(string(trimmed))
			all = append(all, statement{text: line, header: true, path: header})
		default:
			open = slices.Concat(open, line)
			if _, err := parseTOML(open); err != nil {
				continue
			}
			path, value := pair(string(open))
			all = append(all, statement{text: open, path: slices.Concat(header, path), braces: strings.HasPrefix(value, "{")})
			open = nil
		}
	}
	if open != nil {
		all = append(all, statement{text: open})
	}
	return all
}

// isInlineTable reports whether a table above path is an inline table. TOML does not allow adding keys to
// inline tables (v1.0.0, Inline Table). The TOML package used here would accept it, but hosts do
// not.
func isInlineTable(text []byte, path []string) bool {
	return slices.ContainsFunc(statements(text), func(s statement) bool {
		return s.braces && len(s.path) < len(path) && slices.Equal(s.path, path[:len(s.path)])
	})
}

// pair returns the key and the value of a key-value pair, which may be followed by a comment.
func pair(text string) (path []string, value string) {
	for i, b := range []byte(text) {
		if b == '=' {
			if path = keyOf(text[:i] + "= 0"); path != nil {
				return path, strings.TrimLeft(text[i+1:], " \t")
			}
		}
	}
	return nil, ""
}

// keyOf returns the key of a line of TOML, or nil if the line has no key.
func keyOf(line string) []string {
	md, err := toml.Decode(line, new(map[string]any))
	if all := md.Keys(); err == nil && len(all) > 0 {
		return all[len(all)-1]
	}
	return nil
}

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
	case []map[string]any:
		tables := make([]any, len(v))
		for i, table := range v {
			tables[i] = table
		}
		return value(tables)
	case map[string]any:
		var out []string
		for _, name := range slices.Sorted(maps.Keys(v)) {
			text, ok := value(v[name])
			if !ok {
				return "", false
			}
			out = append(out, key(name)+" = "+text)
		}
		if len(out) == 0 {
			return "{}", true
		}
		return "{ " + strings.Join(out, ", ") + " }", true
	}
	return "", false
}
