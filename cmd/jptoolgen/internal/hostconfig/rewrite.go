package hostconfig

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// An edit sets the value at a path of keys, or removes it if the value is nil.
type edit struct {
	path        []string
	have, value any
}

// edits returns the smallest changes that turn one value into another, sorted by path. If split is set, a new
// table is set key by key.
func edits(path []string, have, value any, split bool) []edit {
	h, isTable := have.(map[string]any)
	v, ok := value.(map[string]any)
	switch {
	case reflect.DeepEqual(have, value):
		return nil
	case !ok || !isTable && (have != nil || !split):
		return []edit{{path, have, value}}
	}
	names := maps.Clone(h)
	if names == nil {
		names = map[string]any{}
	}
	maps.Copy(names, v)
	var all []edit
	for _, name := range slices.Sorted(maps.Keys(names)) {
		all = append(all, edits(append(slices.Clone(path), name), h[name], v[name], false)...)
	}
	return all
}

// rewrite applies changes to a table that has its own header. Everything else stays unchanged, including the
// comments after changed values.
func rewrite(text []byte, path []string, changes []change) ([]byte, error) {
	if len(changes) == 0 {
		return text, nil
	}
	want, err := parseTOML(text)
	if err != nil {
		return nil, err
	}
	f := file{all: statements(text), table: path, end: "\n"}
	if bytes.Contains(text, []byte("\r\n")) { // the file mixes both line endings
		f.end = "\r\n"
	}
	for _, c := range changes {
		for _, e := range edits(append(slices.Clone(path), c.name), c.have, c.value, hasTables(c.value)) {
			put(want, e.path, e.value)
			f.apply(e, want)
		}
	}
	var b bytes.Buffer
	for _, s := range f.all {
		b.Write(s.text)
	}
	got, err := parseTOML(b.Bytes())
	if err != nil || !reflect.DeepEqual(prune(got), prune(want)) || !f.hasHeader(path) {
		return nil, fmt.Errorf("[%s] has no separate header in the file; edit the file manually", keys(path))
	}
	return b.Bytes(), nil
}

// hasTables reports whether all values in a table are tables.
func hasTables(v any) bool {
	table, ok := v.(map[string]any)
	for _, inner := range table {
		if _, isTable := inner.(map[string]any); !isTable {
			return false
		}
	}
	return ok
}

// put sets the value at a path of keys, or removes it if the value is nil.
func put(m map[string]any, path []string, value any) {
	for _, name := range path[:len(path)-1] {
		next, ok := m[name].(map[string]any)
		if !ok {
			next = map[string]any{}
			m[name] = next
		}
		m = next
	}
	if last := path[len(path)-1]; value == nil {
		delete(m, last)
	} else {
		m[last] = value
	}
}

// prune returns a copy of a value without empty tables.
func prune(v any) any {
	m, ok := v.(map[string]any)
	if !ok {
		return v
	}
	all := map[string]any{}
	for name, inner := range m {
		if inner = prune(inner); !reflect.DeepEqual(inner, map[string]any{}) {
			all[name] = inner
		}
	}
	return all
}

// A file is a TOML file while it is edited.
type file struct {
	all   []statement
	table []string // the path of the table that is edited
	end   string   // the line ending
}

// hasPrefix reports whether a path is below another path or equal to it.
func hasPrefix(path, prefix []string) bool {
	return len(path) >= len(prefix) && slices.Equal(path[:len(prefix)], prefix)
}

func (f *file) header(path []string) int {
	return slices.IndexFunc(f.all, func(s statement) bool { return s.header && slices.Equal(s.path, path) })
}

func (f *file) hasHeader(path []string) bool { return f.header(path) >= 0 }

// apply makes an edit. want is the content that the file has after the edit.
func (f *file) apply(e edit, want map[string]any) {
	// The value is part of an inline table, or has its own line.
	i := slices.IndexFunc(f.all, func(s statement) bool {
		return !s.header && s.path != nil && hasPrefix(e.path, s.path) && (s.braces || len(s.path) == len(e.path))
	})
	if i >= 0 {
		v, _ := at(want, f.all[i].path)
		if text, ok := value(v); ok && !reflect.DeepEqual(v, map[string]any{}) {
			f.all[i].text = replaceValue(f.all[i].text, text, f.end)
		} else {
			f.all = slices.Delete(f.all, i, i+1)
		}
		return
	}
	f.remove(e.path)
	if e.value == nil {
		return
	}
	rel := e.path[len(f.table):]
	if table, ok := e.value.(map[string]any); ok && len(rel) == 2 && rel[0] == "parameters" {
		f.addSection(e.path, table)
		return
	}
	if text, ok := value(e.value); ok {
		f.insert(e.path, text)
	}
}

// remove removes the statements at a path, and the blank line before a removed header.
func (f *file) remove(path []string) {
	var kept []statement
	for _, s := range f.all {
		if s.path == nil || !hasPrefix(s.path, path) {
			kept = append(kept, s)
			continue
		}
		if n := len(kept); s.header && n > 0 && len(bytes.TrimSpace(kept[n-1].text)) == 0 {
			kept = kept[:n-1]
		}
	}
	f.all = kept
}

// insert adds a line after the header of the innermost table that contains the path.
func (f *file) insert(path []string, value string) {
	for n := len(path) - 1; n >= len(f.table); n-- {
		i := f.header(path[:n])
		if i < 0 {
			continue
		}
		if head := &f.all[i]; !bytes.HasSuffix(head.text, []byte("\n")) {
			head.text = append(slices.Clip(head.text), f.end...)
		}
		for i+1 < len(f.all) && f.all[i+1].added {
			i++ // added lines stay in the order in which they were added
		}
		f.all = slices.Insert(f.all, i+1, f.line(path, path[n:], value))
		return
	}
}

// line returns a new line that sets a value. name is the part of the path that the line contains.
func (f *file) line(path, name []string, value string) statement {
	text := keys(name) + " = " + value + f.end
	return statement{text: []byte(text), path: path, added: true, braces: strings.HasPrefix(value, "{")}
}

// addSection adds a table with its own header after the last statement of the edited table.
func (f *file) addSection(path []string, table map[string]any) {
	last := -1
	for i, s := range f.all {
		if hasPrefix(s.path, f.table) && s.path != nil {
			last = i
		}
	}
	if last < 0 {
		return
	}
	for last+1 < len(f.all) && bytes.HasPrefix(bytes.TrimSpace(f.all[last+1].text), []byte("#")) {
		last++ // a comment in the table
	}
	if s := &f.all[last]; !bytes.HasSuffix(s.text, []byte("\n")) {
		s.text = append(slices.Clip(s.text), f.end...)
	}
	head := "[" + keys(path) + "]" + f.end
	lines := []statement{{text: []byte(f.end)}, {text: []byte(head), header: true, path: path}}
	for _, e := range flatten(nil, table) {
		if text, ok := value(e.value); ok {
			lines = append(lines, f.line(slices.Concat(path, e.path), e.path, text))
		}
	}
	f.all = slices.Insert(f.all, last+1, lines...)
}

// withoutComments removes comments from the section of a table.
func withoutComments(text []byte, path, comments []string) []byte {
	var b bytes.Buffer
	within := false
	for _, s := range statements(text) {
		if s.header {
			within = slices.Equal(s.path, path)
		}
		if !within || s.path != nil || !slices.Contains(comments, string(bytes.TrimSpace(s.text))) {
			b.Write(s.text)
		}
	}
	return b.Bytes()
}

// inOrder is the order of the keys of a parameter. Other keys precede nested parameters.
var inOrder = map[string]int{
	"type": -6, "required": -5, "summary": -4, "description": -3, "enum": -2, "default": -1, "items": 1, "properties": 2,
}

// flatten returns the values in a parameter and in its nested parameters, with their paths.
func flatten(path []string, table map[string]any) []edit {
	var all []edit
	for _, name := range slices.SortedFunc(maps.Keys(table), func(a, b string) int {
		return cmp.Or(inOrder[a]-inOrder[b], strings.Compare(a, b))
	}) {
		isMember := len(path) > 0 && path[len(path)-1] == "properties"
		path := append(slices.Clone(path), name)
		nested := isMember || name == "items" || name == "properties"
		if inner, ok := table[name].(map[string]any); ok && nested {
			all = append(all, flatten(path, inner)...)
		} else {
			all = append(all, edit{path: path, value: table[name]})
		}
	}
	return all
}

// replaceValue replaces the value of a key-value pair. A comment after the value stays.
func replaceValue(line []byte, value, end string) []byte {
	text := string(line)
	_, old := pair(text)
	name := strings.TrimRight(strings.TrimSuffix(text, old), " \t=")
	all, _ := parseTOML(line)
	comment := ""
	for i, b := range []byte(old) {
		if b != '#' {
			continue
		}
		if without, err := parseTOML([]byte(name + " = " + old[:i])); err == nil && reflect.DeepEqual(without, all) {
			comment = " " + strings.TrimRight(old[i:], "\r\n")
			break
		}
	}
	return []byte(name + " = " + value + comment + end)
}
