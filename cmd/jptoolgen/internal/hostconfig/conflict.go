package hostconfig

import (
	"fmt"
	"maps"
	"net/url"
	"reflect"
	"slices"
	"strings"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/secret"
)

// A Conflict is the error for a file that has a different server under the same name.
type Conflict struct {
	// Where lists the conflicting entries in the file.
	Where []string
	// Differences are the values that differ.
	Differences []Difference
}

// A Difference is a value that differs. Have is the value in the file, and Want is the value for the server.
// Both have the syntax of the file. An empty string means that the value is missing.
type Difference struct{ Path, Have, Want string }

// Error names the entries.
func (c *Conflict) Error() string {
	if len(c.Where) == 1 {
		return c.Where[0] + " already exists with different values"
	}
	return strings.Join(c.Where, ", ") + " already exist with different values"
}

// add records the differences between two versions of an entry.
func (c *Conflict) add(where, path string, changes []change, print func(any) string) {
	c.Where = append(c.Where, where)
	for _, ch := range changes {
		c.Differences = append(c.Differences, ch.differences(path, print)...)
	}
}

// A field is a member of an entry that this package writes. All other members belong to the user.
type field struct {
	name string
	// grows is set if the value is a list or an object to which the user may add elements.
	grows bool
	// implied is the value that hosts use if the member is absent.
	implied any
	// kept is set if the member belongs to the user. Such members are only added if the entry has none of them.
	kept bool
	// merge returns the new value with the parts of an existing value that belong to the user. If merge is nil,
	// the whole value must match.
	merge func(have, want any) any
}

// A change describes how a member of an existing entry must change. A nil value removes the member.
type change struct {
	name       string
	have, want any
	value      any
}

// compare returns the changes that an existing entry needs.
func compare(have, want map[string]any, fields []field) []change {
	var all []change
	kept := slices.ContainsFunc(fields, func(f field) bool { return f.kept && orNil(have[f.name]) != nil })
	for _, w := range fields {
		h, n := orNil(have[w.name]), orNil(want[w.name])
		if h == nil {
			h = w.implied
		}
		if w.kept && kept {
			continue
		}
		if w.merge != nil {
			n = w.merge(h, n)
		}
		value := n
		if w.grows {
			if value = union(h, n); reflect.DeepEqual(value, h) || n == nil {
				continue
			}
		}
		if !reflect.DeepEqual(value, h) {
			all = append(all, change{w.name, h, n, value})
		}
	}
	return all
}

// orNil returns nil for an empty list or object, which has the same meaning as a missing one.
func orNil(v any) any {
	switch v := v.(type) {
	case []any:
		if len(v) == 0 {
			return nil
		}
	case map[string]any:
		if len(v) == 0 {
			return nil
		}
	}
	return v
}

// union merges two objects or lists. On conflicts, the values of want take precedence.
func union(have, want any) any {
	switch want := want.(type) {
	case map[string]any:
		if have, ok := have.(map[string]any); ok {
			all := maps.Clone(have)
			maps.Copy(all, want)
			return all
		}
	case []any:
		if have, ok := have.([]any); ok {
			all := slices.Clone(have)
			for _, v := range want {
				if !slices.ContainsFunc(have, func(h any) bool { return reflect.DeepEqual(h, v) }) {
					all = append(all, v)
				}
			}
			return all
		}
	}
	return want
}

// withoutSecret returns a URL without its user information and query, which may contain secrets. It returns
// other values unchanged.
func withoutSecret(value any) any {
	text, _ := value.(string)
	u, err := url.Parse(text)
	if err != nil || u.User == nil && u.RawQuery == "" {
		return value
	}
	return u.Scheme + "://" + u.Host + u.EscapedPath() + " (hidden)"
}

// differences returns the differences to print. It redacts the secrets in existing environment variables and options.
func (c change) differences(path string, print func(any) string) []Difference {
	value := c.value
	if _, isTable := c.want.(map[string]any); !isTable {
		value = c.want
	}
	var list []Difference
	for _, e := range edits([]string{c.name}, c.have, value, true) {
		d := Difference{Path: path + "." + strings.Join(e.path, "."), Have: print(withoutSecret(e.have)), Want: print(e.value)}
		last := e.path[len(e.path)-1]
		if _, isTable := e.have.(map[string]any); d.Have != "" && (c.name == "env" && !isTable || c.name == "options" && secret.Named(last)) {
			d.Have = print(secret.Redact(fmt.Sprint(e.have)))
		}
		list = append(list, d)
	}
	return list
}
