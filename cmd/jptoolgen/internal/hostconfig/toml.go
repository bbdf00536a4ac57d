package hostconfig

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/BurntSushi/toml"
)

// codexFormat is Codex's config.toml.
type codexFormat struct{}

func (codexFormat) snippet(e Entry) ([]byte, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "[mcp_servers.%s]\n", key(e.Name))
	if e.URL != "" {
		fmt.Fprintf(&b, "url = %s\n", str(e.URL))
		return b.Bytes(), nil
	}
	fmt.Fprintf(&b, "command = %s\n", str(e.Command[0]))
	if len(e.Command) > 1 {
		fmt.Fprintf(&b, "args = %s\n", list(e.Command[1:]))
	}
	if len(e.Env) > 0 {
		var pairs []string
		for _, v := range e.Env {
			name, value, _ := strings.Cut(v, "=")
			pairs = append(pairs, key(name)+" = "+str(value))
		}
		fmt.Fprintf(&b, "env = { %s }\n", strings.Join(pairs, ", "))
	}
	return b.Bytes(), nil
}

func (f codexFormat) merge(old []byte, e Entry) ([]byte, error) {
	snippet, err := f.snippet(e)
	if err != nil {
		return nil, err
	}
	return addTables(old, []table{{
		path: []string{"mcp_servers", e.Name}, text: snippet,
		same: []string{"command", "args", "env", "url"}, otherwise: "remove it, or give this one another --name",
	}})
}

// A table is one that a server needs in a file, with those in it.
type table struct {
	path []string
	text []byte
	// same are the keys that a table of that path must have as this one has them. The rest
	// of what stands there is its user's.
	same []string
	// otherwise says what to do about a table that is another's.
	otherwise string
}

// join returns the text of tables.
func join(tables []table) []byte {
	texts := make([][]byte, len(tables))
	for i, t := range tables {
		texts[i] = t.text
	}
	return bytes.Join(texts, []byte("\n"))
}

// addTables appends to a file those of the tables that it lacks. What stands in it stays;
// a table there that is another's is refused.
func addTables(old []byte, tables []table) ([]byte, error) {
	have, err := decode(old)
	if err != nil {
		return nil, fmt.Errorf("the file is not TOML: %w", err)
	}
	var missing []table
	var errs []error
	for _, t := range tables {
		there, ok := at(have, t.path)
		if !ok {
			missing = append(missing, t)
			if closed(old, t.path) {
				errs = append(errs, fmt.Errorf("[%s] cannot be added to what stands between braces: paste it by hand", keys(t.path)))
			}
			continue
		}
		want, err := decode(t.text)
		if err != nil {
			return nil, fmt.Errorf("the new lines are not TOML: %w", err)
		}
		if this, _ := at(want, t.path); !agree(there, this, t.same) {
			errs = append(errs, fmt.Errorf("[%s] is there already, and says something else: %s", keys(t.path), t.otherwise))
		}
	}
	if err := errors.Join(errs...); err != nil || len(missing) == 0 {
		return old, err
	}
	var b bytes.Buffer
	b.Write(bytes.TrimRight(old, "\r\n"))
	if b.Len() > 0 {
		b.WriteString("\n\n")
	}
	b.Write(join(missing))
	if _, err := decode(b.Bytes()); err != nil {
		return nil, fmt.Errorf("the file cannot take the new tables behind its own, paste them by hand: %w", err)
	}
	return b.Bytes(), nil
}

// closed reports whether a table above path is an inline one, which TOML lets nobody add to
// (v1.0.0, Inline Table). The package that reads TOML here does not mind, hosts do.
func closed(text []byte, path []string) bool {
	var header []string
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			header = keyOf(line)
			continue
		}
		name, value, _ := strings.Cut(line, "=")
		if !strings.HasPrefix(strings.TrimSpace(value), "{") {
			continue
		}
		full := slices.Concat(header, keyOf(name+"= 0"))
		if len(full) < len(path) && slices.Equal(full, path[:len(full)]) {
			return true
		}
	}
	return false
}

// keyOf returns the key that a line of TOML is about, nil if it is about none.
func keyOf(line string) []string {
	md, err := toml.Decode(line, new(map[string]any))
	if all := md.Keys(); err == nil && len(all) > 0 {
		return all[len(all)-1]
	}
	return nil
}

func decode(text []byte) (map[string]any, error) {
	var m map[string]any
	_, err := toml.Decode(string(text), &m)
	return m, err
}

// agree reports whether two tables have the same under the given keys.
func agree(x, y any, under []string) bool {
	a, ok := x.(map[string]any)
	b, _ := y.(map[string]any)
	for _, k := range under {
		ok = ok && reflect.DeepEqual(a[k], b[k])
	}
	return ok
}

// at returns what lies at a path of keys.
func at(m map[string]any, path []string) (any, bool) {
	v, ok := m[path[0]]
	if !ok || len(path) == 1 {
		return v, ok
	}
	next, ok := v.(map[string]any)
	if !ok {
		return nil, false
	}
	return at(next, path[1:])
}

// key writes a name as a TOML key, quoted if it has to be.
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

// str writes a TOML basic string.
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

// value writes a JSON value as TOML. It reports false for null and for what TOML
// has no word for, such as an integer of more than 64 bits.
func value(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return str(v), true
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
	}
	return "", false
}
