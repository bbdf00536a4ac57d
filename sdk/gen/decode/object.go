package decode

import (
	"slices"
	"strconv"
	"strings"

	"github.com/jptool/jptool/internal/phrase"
)

// An Object is a JSON object to be decoded. It is valid until the function that received it returns.
type Object decoder

// maxCompared is the maximum number of undeclared names that are compared with declared names.
const maxCompared = 100

// Field decodes the member with the given name into *dst and checks the rules. If the member is absent, *dst
// is unchanged unless the rules have a default. For an optional field, null and "" are the same as an absent
// member if they are not valid values.
func Field[T any](o *Object, name string, dst *T, f Func[T], rules ...Rule) {
	d := (*decoder)(o)
	at := d.take(name)
	required := find(rules, opRequired) != nil
	if at != 0 && !required && d.blank(at) {
		blank, value := Value{d, at}, *dst // otherwise, try would move at to the heap
		if !d.try(func() { f(blank, &value) }).refused {
			if _, _, ok := blank.satisfies(rules); ok {
				*dst = value
				return
			}
		}
		at = 0
	}
	if at == 0 {
		if rule := find(rules, opDefault); rule != nil {
			d.supplied = true
			f(Value{d, d.supply(name, rule.text)}, dst)
			d.supplied = false
		} else if required {
			d.addMissing(d.object, name, describe(noun(d, f), "", rules))
		}
		return
	}
	apply(Value{d, at}, dst, f, rules)
}

// blank reports whether a value is null or "", which hosts send for an argument that is not set.
func (d *decoder) blank(at int32) bool {
	n := &d.nodes[at]
	return n.kind == kindNull || n.kind == kindString && len(n.text) == 0 && (!d.Strict || d.answers)
}

// Embed decodes an embedded pointer to a struct whose fields belong to the object itself. The struct is
// only allocated if one of its names is present; otherwise, its required fields may be missing. Names that
// are all null or "" count as absent if a field does not accept its value. For structs embedded by value, call
// their function with the same object.
func Embed[T any](o *Object, dst **T, fields func(*Object, *T), names ...string) {
	d := (*decoder)(o)
	present, given := false, false
	for _, name := range names {
		if at := d.member(d.object, name); at != 0 {
			present, given = true, given || !d.blank(at)
		}
	}
	if !present {
		d.names = append(d.names, names...)
		return
	}
	into := *dst
	if into == nil {
		into = new(T)
	}
	if given {
		fields(o, into)
	} else if d.try(func() { fields(o, into) }).refused {
		return
	}
	*dst = into
}

// Struct decodes an object. fields is the function for its type.
func Struct[T any](fields func(*Object, *T)) Func[T] {
	return func(v Value, dst *T) {
		if !v.want(kindObject, anObject) {
			return
		}
		d := v.d
		outer, first, mark := d.object, d.first, len(d.names)
		d.object, d.first = v.at, mark
		fields((*Object)(d), dst)
		d.finish()
		d.object, d.first, d.names = outer, first, d.names[:mark]
	}
}

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
// matches, or if several match. A member of another case may be null, because some model APIs
// require all members that a schema declares.
func Sum[I any](cases ...Case[I]) Func[I] {
	return func(v Value, dst *I) {
		if !v.want(kindObject, anObject) {
			return
		}
		null := func(at int32) bool { return v.d.nodes[at].kind == kindNull }
		for at := v.d.nodes[v.at].first; at != 0; at = v.d.nodes[at].next {
			v.d.nodes[at].used = null(at) // an undeclared member that is null is not reported
		}
		meant := slices.DeleteFunc(slices.Clone(cases), func(c Case[I]) bool { return !c.fits(v) })
		if len(meant) > 1 {
			meant = slices.DeleteFunc(meant, func(c Case[I]) bool { return null(v.d.member(v.at, c.member)) })
		}
		if len(meant) == 1 {
			meant[0].decode(v, dst)
			return
		}
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
			got := "an object with " + strconv.Itoa(len(meant)) + " of them"
			v.d.refuse(v.at, "an object with exactly "+phrase.OneOf(names), got, "")
		case member == 0:
			v.d.addMissing(v.at, cases[0].member, phrase.OneOf(names))
		default:
			v.d.refuse(member, phrase.OneOf(names), "", didYouMean(string(v.d.nodes[member].text), values))
		}
	}
}

func (c Case[I]) fits(v Value) bool {
	at := v.d.member(v.at, c.member)
	n := &v.d.nodes[at]
	return at != 0 && (c.value == "" || n.kind == kindString && string(n.text) == c.value)
}

// take records a declared name and returns its member, or 0 if the object lacks it.
func (d *decoder) take(name string) (at int32) {
	d.names = append(d.names, name)
	if at = d.member(d.object, name); at != 0 {
		d.nodes[at].used = true
	}
	return at
}

// supply adds a member with the JSON text of a declared default.
func (d *decoder) supply(name, text string) int32 {
	at, bad := d.scan(d.keep(text), d.object)
	if bad != nil {
		// The default is not valid JSON, which only handwritten code can cause. It is decoded as a string.
		at = int32(len(d.nodes))
		d.nodes = append(d.nodes, node{kind: kindString, text: d.keep(text), parent: d.object})
	}
	d.nodes[at].name = d.keep(name)
	return at
}

// finish reports undeclared members of the object.
func (d *decoder) finish() {
	var strays []string
	declared, expected := d.names[d.first:], ""
	for at := d.nodes[d.object].first; at != 0; at = d.nodes[at].next {
		if d.nodes[at].used {
			continue
		}
		name, hint := string(d.nodes[at].name), ""
		if twin := d.similarMember(name); twin != "" {
			d.refuse(at, "one spelling of "+quote([]byte(twin)), "names that differ only in case", "")
			continue
		}
		if len(strays) < maxCompared {
			strays = append(strays, name)
			hint = didYouMean(name, declared)
		}
		if d.Closed {
			if expected == "" {
				expected = oneOfNames(declared)
			}
			d.refuse(at, expected, "an unknown name", hint)
		} else if hint != "" && len(d.report.Warnings) < maxListed {
			d.report.Warnings = append(d.report.Warnings,
				d.What+" "+d.path(at)+" is unknown and was ignored; "+hint)
		}
	}
	for i := range d.report.Problems {
		if p := &d.report.Problems[i]; p.lacks != "" && p.at == d.object {
			if sent, ok := phrase.Nearest(p.lacks, strays); ok {
				p.Hint = "rename " + quote([]byte(sent)) + " to " + quote([]byte(p.lacks))
			}
		}
	}
}

// similarMember returns the declared name of a member that differs only in case from name, or "". A parser
// that ignores case would mix up the two members.
func (d *decoder) similarMember(name string) string {
	for _, declared := range d.names[d.first:] {
		if len(declared) <= 3*len(name) && len(name) <= 3*len(declared) && strings.EqualFold(declared, name) && d.member(d.object, declared) != 0 {
			return declared
		}
	}
	return ""
}

// didYouMean returns a hint with the name that is most similar to sent, or "" if none is.
func didYouMean(sent string, names []string) (hint string) {
	if near, ok := phrase.Nearest(sent, names); ok {
		hint = "did you mean " + strconv.Quote(near) + "?"
	}
	return hint
}

func oneOfNames(names []string) string {
	switch len(names) {
	case 0:
		return "no members"
	case 1:
		return "the name " + quote([]byte(names[0]))
	}
	return "one of the names " + strings.Join(names, ", ")
}
