package wire

import (
	"slices"
	"strconv"
)

// layout is a struct as serde's derived code sees it: its field names in order, and how many of
// them the positional form has to fill because they have no default.
type layout struct {
	fields     []string
	positional int
}

// exactly is the layout of a struct whose fields have no defaults.
func exactly(fields ...string) layout { return layout{fields, len(fields)} }

// record holds the fields of one struct. Its readers keep the first error in err and return zero
// values from then on, so that a struct is read field by field and judged once.
type record struct {
	key    string
	values map[string]value
	err    error
}

// read takes a struct apart, given as an object or as an array of its fields.
func (l layout) read(v value, key string) *record {
	switch {
	case v.absent():
		return &record{err: &Error{Code: CodeMissing, Key: key, Want: "an object"}}
	case v.kind() == '{':
		return l.fromObject(v.members(), key)
	case v.kind() == '[':
		return l.fromArray(v.elements(), key)
	}
	return &record{err: v.wrongType(key, "an object")}
}

func (l layout) fromObject(members []member, key string) *record {
	r := &record{key: key, values: make(map[string]value, len(l.fields))}
	for _, m := range members {
		if !slices.Contains(l.fields, m.name) {
			continue
		}
		if _, again := r.values[m.name]; again {
			r.err = &Error{Code: CodeDuplicate, Key: join(key, m.name)}
			break
		}
		r.values[m.name] = m.value
	}
	return r
}

func (l layout) fromArray(items []value, key string) *record {
	if len(items) < l.positional || len(items) > len(l.fields) {
		want := strconv.Itoa(len(l.fields)) + " elements"
		return &record{err: &Error{Code: CodeLength, Key: key, Want: want, Got: strconv.Itoa(len(items))}}
	}
	r := &record{key: key, values: make(map[string]value, len(items))}
	for i, item := range items {
		r.values[l.fields[i]] = item
	}
	return r
}

func join(key, name string) string {
	if key == "" {
		return name
	}
	return key + "." + name
}

// get reads a field by read, which gets nil for an absent one.
func get[T any](r *record, name string, read func(value, string) (T, error)) T {
	var zero T
	if r.err != nil {
		return zero
	}
	got, err := read(r.values[name], join(r.key, name))
	if err != nil {
		r.err = err
		return zero
	}
	return got
}

// opt reads a field that may be absent or null, and is nil then.
func opt[T any](r *record, name string, read func(value, string) (T, error)) *T {
	if v := r.values[name]; r.err != nil || v.absent() || v.null() {
		return nil
	}
	got := get(r, name, read)
	if r.err != nil {
		return nil
	}
	return &got
}

func (r *record) str(name string) string        { return get(r, name, value.asString) }
func (r *record) strs(name string) []string     { return get(r, name, value.asStrings) }
func (r *record) boolean(name string) bool      { return get(r, name, value.asBool) }
func (r *record) optString(name string) *string { return opt(r, name, value.asString) }
func (r *record) optBool(name string) *bool     { return opt(r, name, value.asBool) }

// flag reads a boolean that is false when absent; null is refused.
func (r *record) flag(name string) bool {
	if r.values[name].absent() {
		return false
	}
	return r.boolean(name)
}
