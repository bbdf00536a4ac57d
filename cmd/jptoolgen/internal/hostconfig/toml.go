package hostconfig

import (
	"bytes"
	"errors"
	"fmt"
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
	return addTables(old, snippet, [][]string{{"mcp_servers", e.Name}})
}

// addTables appends a snippet that has the given tables to a file. A file that
// has all of them with what the snippet says is left as it is. TOML cannot be
// rewritten without touching what its user wrote, so tables that differ are refused.
func addTables(old, snippet []byte, tables [][]string) ([]byte, error) {
	var have, want map[string]any
	if _, err := toml.Decode(string(old), &have); err != nil {
		return nil, fmt.Errorf("the file is not TOML: %w", err)
	}
	if _, err := toml.Decode(string(snippet), &want); err != nil {
		return nil, fmt.Errorf("the new lines are not TOML: %w", err)
	}
	var errs []error
	present := 0
	for _, path := range tables {
		old, ok := at(have, path)
		if !ok {
			continue
		}
		present++
		if new, _ := at(want, path); fmt.Sprint(old) != fmt.Sprint(new) {
			errs = append(errs, fmt.Errorf("[%s] %w, and says something else", keys(path), ErrExists))
		}
	}
	switch {
	case len(errs) > 0:
		return nil, errors.Join(errs...)
	case present == len(tables):
		return old, nil
	case present > 0:
		return nil, fmt.Errorf("some of the tables %w: paste the others by hand", ErrExists)
	}
	var b bytes.Buffer
	b.Write(bytes.TrimRight(old, "\n"))
	if b.Len() > 0 {
		b.WriteString("\n\n")
	}
	b.Write(snippet)
	if _, err := toml.Decode(b.String(), new(map[string]any)); err != nil {
		return nil, fmt.Errorf("the file cannot take the new tables: %w", err)
	}
	return b.Bytes(), nil
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
// has no word for.
func value(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return str(v), true
	case bool:
		return strconv.FormatBool(v), true
	case fmt.Stringer: // json.Number
		return v.String(), true
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
