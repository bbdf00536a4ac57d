package decode

import (
	"slices"
	"strconv"

	"github.com/jptool/jptool/internal/phrase"
)

// A Case is a struct that is one of the alternatives of an interface.
type Case[I any] struct {
	member, value string
	decode        func(o *Object, dst *I)
}

// When returns the case for objects whose given member has the given value. If value is "", any
// value matches.
func When[I, T any](member, value string, fields func(*Object, *T)) Case[I] {
	return Case[I]{member, value, func(o *Object, dst *I) {
		var t T
		fields(o, &t)
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
		o := v.d.object(v.at)
		meant := slices.DeleteFunc(slices.Clone(cases), func(c Case[I]) bool { return !c.fits(o) })
		if len(meant) == 1 {
			meant[0].decode(o, dst)
			o.finish()
			return
		}
		v.d.spare = append(v.d.spare, o)
		if v.d.ask.asking {
			v.refuse(anObject, "", "")
			return
		}
		v.d.add(unclear(o, cases, len(meant)))
	}
}

// fits reports whether an object matches the case.
func (c Case[I]) fits(o *Object) bool {
	at := o.find(c.member)
	return at != 0 && (c.value == "" || o.d.nodes[at].kind == kindString && string(o.d.nodes[at].text) == c.value)
}

// unclear returns the problem of an object that matches no case, or several.
func unclear[I any](o *Object, cases []Case[I], meant int) Problem {
	var names []string
	for _, c := range cases {
		if c.value != "" {
			names = append(names, strconv.Quote(c.value))
		} else {
			names = append(names, c.member)
		}
	}
	if cases[0].value == "" {
		return Problem{
			Path: o.d.path(o.at), Expected: "an object with exactly " + phrase.OneOf(names),
			Got: "an object with " + strconv.Itoa(meant) + " of them",
		}
	}
	p := Problem{Path: join(o.d.path(o.at), []byte(cases[0].member)), Expected: phrase.OneOf(names), Got: "nothing"}
	if at := o.find(cases[0].member); at != 0 {
		p.Got = o.d.show(at)
		if near, ok := Nearest(string(o.d.nodes[at].text), names); ok {
			p.Hint = "did you mean " + near + "?"
		}
	}
	return p
}
