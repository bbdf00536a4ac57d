package hostconfig

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/secret"
)

// A Conflict is the error of adding a server to a file that has another under its name.
type Conflict struct {
	// Where names the entries of the file.
	Where []string
	// Differences are what they say otherwise.
	Differences []Difference
}

// A Difference is a value of an entry. Have and Want are the value in the file and the one of the server, as the
// file would have them; "" is none.
type Difference struct{ Path, Have, Want string }

// Error names the entries.
func (c *Conflict) Error() string {
	if len(c.Where) == 1 {
		return c.Where[0] + " is there already, and says something else"
	}
	return strings.Join(c.Where, ", ") + " are there already, and say something else"
}

// add adds what an entry says otherwise.
func (c *Conflict) add(where, path string, changes []change, print func(any) string) {
	c.Where = append(c.Where, where)
	for _, ch := range changes {
		c.Differences = append(c.Differences, ch.differences(path, print)...)
	}
}

// A word is a member of an entry that this package writes. All others are the user's.
type word struct {
	name string
	// grows says that the value is a list or an object to which the user may add.
	grows bool
	// implied is the value of a member that is missing.
	implied any
}

// A change is what has to become of a member of an entry. A nil value removes it.
type change struct {
	name       string
	have, want any
	value      any
}

// compare returns the changes that make an entry say what it has to.
func compare(have, want map[string]any, words []word) []change {
	var all []change
	for _, w := range words {
		h, n := orNil(have[w.name]), orNil(want[w.name])
		if h == nil {
			h = w.implied
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

// orNil returns nil for a list or an object without anything in it, which says no more than a missing one.
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

// union returns what has both values, those of the second where they differ.
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

// differences returns what to show of a change. Of the variables in the file only references are shown.
func (c change) differences(path string, print func(any) string) []Difference {
	path += "." + c.name
	have, ok := c.have.(map[string]any)
	want, all := c.want.(map[string]any)
	if !all || c.have != nil && !ok {
		return []Difference{{path, print(c.have), print(c.want)}}
	}
	var list []Difference
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if v, there := have[name]; !reflect.DeepEqual(v, want[name]) {
			d := Difference{Path: path + "." + name, Want: print(want[name])}
			if there {
				d.Have = print(secret.Redact(fmt.Sprint(v)))
			}
			list = append(list, d)
		}
	}
	return list
}
