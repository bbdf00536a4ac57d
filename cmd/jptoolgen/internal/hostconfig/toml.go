package hostconfig

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/jptool/jptool/sdk/gen/manifest"
)

// codexFormat is the format of Codex's config.toml.
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
	pairs, names, err := e.splitEnv("Codex")
	if err != nil {
		return nil, err
	}
	if len(pairs) > 0 {
		fmt.Fprintf(&b, "env = { %s }\n", strings.Join(pairs, ", "))
	}
	if len(names) > 0 {
		fmt.Fprintf(&b, "env_vars = %s\n", list(names))
	}
	return b.Bytes(), nil
}

// splitEnv returns the environment variables with literal values as TOML pairs, and the names of the variables
// that the host passes from its own environment. A host that lists only names cannot pass a variable under
// another name.
func (e Entry) splitEnv(host string) (pairs, names []string, err error) {
	for _, v := range e.variables() {
		switch {
		case v.isInherited():
			names = append(names, v.name)
		case v.hasReferences():
			return nil, nil, fmt.Errorf("env %s: %s can only pass a variable under the same name; use --env NAME", v.name, host)
		default:
			pairs = append(pairs, key(v.name)+" = "+str(v.value))
		}
	}
	return pairs, names, nil
}

func (f codexFormat) merge(old []byte, e Entry, replace bool) ([]byte, error) {
	snippet, err := f.snippet(e)
	if err != nil {
		return nil, err
	}
	return addTables(old, []table{{path: []string{"mcp_servers", e.Name}, text: snippet, fields: []field{
		{name: "command"}, {name: "args"}, {name: "env", grows: true}, {name: "env_vars", grows: true}, {name: "url"},
	}}}, replace)
}

// A table is a TOML table that a server needs in a file, including nested tables.
type table struct {
	path []string
	text []byte
	// written is the path of the table in text, if the table has another name in the file.
	written []string
	// tool is the tool that a table of JP configures.
	tool *manifest.Tool
	// stale are comments that do not apply any more if the table changes.
	stale []string
	// fields are the keys whose values must match the values in text. Other keys of an existing table belong to
	// the user.
	fields []field
}

// join concatenates the text of all tables.
func join(tables []table) []byte {
	texts := make([][]byte, len(tables))
	for i, t := range tables {
		texts[i] = t.text
	}
	return bytes.Join(texts, []byte("\n"))
}

// addTables appends the missing tables to a file and leaves other content unchanged. If an existing table has
// different values, addTables changes them if replace is set, and returns a [Conflict] otherwise.
func addTables(old []byte, tables []table, replace bool) ([]byte, error) {
	have, err := parseTOML(old)
	if err != nil {
		return nil, fmt.Errorf("the file is not valid TOML: %w", err)
	}
	text := old
	var missing []table
	conflict := new(Conflict)
	for _, t := range tables {
		if err := checkPath(have, t.path); err != nil {
			return nil, err
		}
		there, ok := at(have, t.path)
		if !ok {
			missing = append(missing, t)
			if isInlineTable(old, t.path) {
				return nil, fmt.Errorf("[%s] cannot be added to an inline table; add it manually", keys(t.path))
			}
			continue
		}
		changes, err := t.changes(there)
		if err != nil {
			return nil, err
		}
		if len(changes) > 0 && !replace {
			conflict.add("["+keys(t.path)+"]", keys(t.path), changes, printTOML)
		} else if text, err = rewrite(text, t.path, changes); err != nil {
			return nil, err
		} else if len(changes) > 0 {
			text = withoutComments(text, t.path, t.stale)
		}
	}
	if len(conflict.Where) > 0 {
		return nil, conflict
	}
	if len(missing) == 0 {
		return text, nil
	}
	var b bytes.Buffer
	b.Write(bytes.TrimRight(text, "\r\n"))
	if b.Len() > 0 {
		b.WriteString("\n\n")
	}
	b.Write(join(missing))
	if _, err := parseTOML(b.Bytes()); err != nil {
		return nil, fmt.Errorf("the new tables cannot be appended to the file (%w); add them manually", err)
	}
	return b.Bytes(), nil
}

// changes returns the changes that an existing table needs.
func (t table) changes(there any) ([]change, error) {
	text, err := parseTOML(t.text)
	if err != nil {
		return nil, fmt.Errorf("the new table is not valid TOML: %w", err)
	}
	this, _ := at(text, t.path)
	if t.written != nil {
		this, _ = at(text, t.written)
	}
	want, _ := this.(map[string]any)
	have, _ := there.(map[string]any) // a value that is not a table has no keys
	return compare(have, want, t.fields), nil
}

// checkPath returns an error if the path to a table contains a value that is not a table.
func checkPath(m map[string]any, path []string) error {
	for i := range path {
		v, ok := at(m, path[:i+1])
		if !ok {
			return nil
		}
		if _, isTable := v.(map[string]any); isTable || i == len(path)-1 && !isTables(v) {
			continue
		}
		if isTables(v) {
			return fmt.Errorf("%s is an array of tables in the file, [[%[1]s]], but [%s] must be a table; change it manually", keys(path[:i+1]), keys(path))
		}
		return fmt.Errorf("%s is not a table in the file; change it manually", keys(path[:i+1]))
	}
	return nil
}

func isTables(v any) bool {
	_, ok := v.([]map[string]any)
	return ok
}

// ofKeys holds the characters, other than letters and digits, that a key may contain.
const ofKeys = ".-_\"' \t"

// parseTOML parses a file. It limits the parts of a key, because parsing takes time and memory
// quadratic in their number.
func parseTOML(text []byte) (map[string]any, error) {
	dots, values := 0, 0
	for _, b := range text {
		switch {
		case b == '.':
			dots++
		case b == '\n' || b == ',':
			dots, values = 0, values+1
		case strings.IndexByte(ofKeys, b) < 0 && (b|0x20 < 'a' || b|0x20 > 'z') && (b < '0' || b > '9'):
			dots = 0
		}
		if dots > maxDepth || values > maxValues {
			return nil, errTooLarge
		}
	}
	var m map[string]any
	_, err := toml.Decode(string(text), &m)
	return m, err
}

// at returns the value at a path of keys.
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
