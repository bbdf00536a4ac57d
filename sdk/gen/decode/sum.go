package decode

import (
	"slices"
	"strconv"

	"github.com/jptool/jptool/internal/phrase"
)

// A Case is a struct that is one of the alternatives of an interface.
type Case[I any] struct {
	member, value string
	decode        Func[I]
}

// When returns the case for objects whose given member has the given value. If value is "", any
// value matches.
func When[I, T any](member, value string, fields func(*Object, *T)) Case[I] {
	return Case[I]{member, value, func(v Value, dst *I) {
		var t T
		Struct(fields)(v, &t)
		*dst = any(t).(I)
	}}
}

// Sum decodes an object as the case that its members match. It reports a problem if no case
// matches, or if several match.
func Sum[I any](cases ...Case[I]) Func[I] {
	return func(v Value, dst *I) {
		if !v.want(kindObject, anObject) {
			return
		}
		meant := slices.DeleteFunc(slices.Clone(cases), func(c Case[I]) bool { return !c.fits(v) })
		if len(meant) == 1 {
			meant[0].decode(v, dst)
		} else {
			unclear(v, cases, len(meant))
		}
	}
}

func (c Case[I]) fits(v Value) bool {
	at := v.d.member(v.at, c.member)
	n := &v.d.nodes[at]
	return at != 0 && (c.value == "" || n.kind == kindString && string(n.text) == c.value)
}

// unclear reports that an object matches no case, or several.
func unclear[I any](v Value, cases []Case[I], meant int) {
	var names, values []string
	for _, c := range cases {
		name := c.member
		if c.value != "" {
			name = strconv.Quote(c.value)
		}
		names, values = append(names, name), append(values, c.value)
	}
	member := v.d.member(v.at, cases[0].member)
	switch {
	case cases[0].value == "":
		v.d.refuse(v.at, "an object with exactly "+phrase.OneOf(names), "an object with "+strconv.Itoa(meant)+" of them", "")
	case member == 0:
		v.d.lack(v.at, cases[0].member, phrase.OneOf(names))
	default:
		v.d.refuse(member, phrase.OneOf(names), "", didYouMean(string(v.d.nodes[member].text), values))
	}
}
