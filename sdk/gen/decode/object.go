package decode

import (
	"slices"
	"strconv"
	"strings"

	"github.com/jptool/jptool/internal/phrase"
)

// An Object is a JSON object that is being decoded. It is valid until the function that
// received it returns.
type Object struct {
	d     *decoder
	at    int32
	names []string // declared so far
}

// maxCompared is the maximum number of undeclared names that are compared with the declared
// names, which bounds the cost of hostile input.
const maxCompared = 100

// Field decodes the member with the given name into *dst and checks the rules. If the member
// is absent, or null and f does not accept null, *dst is unchanged unless the rules have a
// default.
func Field[T any](o *Object, name string, dst *T, f Func[T], rules ...Rule) {
	d := o.d
	at := o.take(name)
	required := find(rules, opRequired) != nil
	if at != 0 && !required && d.nodes[at].kind == kindNull {
		null := Value{d, at} // try would otherwise move at to memory
		if !d.try(func() { f(null, dst) }).refused {
			return
		}
		at = 0
	}
	if at == 0 {
		if rule := find(rules, opDefault); rule != nil {
			f(Value{d, o.supply(name, rule.text)}, dst)
		} else if required {
			d.lack(o.at, name, describe(noun(d, f), "", rules))
		}
		return
	}
	apply(Value{d, at}, dst, f, rules)
}

// Embed decodes an embedded pointer to a struct whose fields belong to the object itself. The
// struct is only allocated if one of its names is present; otherwise its required fields may
// be missing. For structs embedded by value, call their function with the same object.
func Embed[T any](o *Object, dst **T, fields func(*Object, *T), names ...string) {
	if !slices.ContainsFunc(names, func(name string) bool { return o.d.member(o.at, name) != 0 }) {
		o.names = append(o.names, names...)
		return
	}
	if *dst == nil {
		*dst = new(T)
	}
	fields(o, *dst)
}

// Struct decodes an object. fields is the function for its type.
func Struct[T any](fields func(*Object, *T)) Func[T] {
	return func(v Value, dst *T) {
		if o := v.object(); o != nil {
			fields(o, dst)
			o.finish()
		}
	}
}

// object returns the value as an object, or nil after reporting a problem.
func (v Value) object() *Object {
	if !v.want(kindObject, anObject) {
		return nil
	}
	d := v.d
	if n := len(d.spare); n > 0 {
		o := d.spare[n-1]
		d.spare = d.spare[:n-1]
		o.at = v.at
		return o
	}
	return &Object{d: d, at: v.at}
}

// take records a declared name and returns its member, or 0 if the object lacks it.
func (o *Object) take(name string) int32 {
	o.names = append(o.names, name)
	at := o.d.member(o.at, name)
	if at != 0 {
		o.d.nodes[at].used = true
	}
	return at
}

// supply adds a member with the JSON text of a declared default.
func (o *Object) supply(name, text string) int32 {
	at, bad := o.d.scan(o.d.keep(text), o.at)
	if bad != nil {
		// Only handwritten code can have an invalid default, because jptoolgen has checked the
		// others. It becomes a value that only string targets accept.
		at = int32(len(o.d.nodes))
		o.d.nodes = append(o.d.nodes, node{kind: kindString, text: o.d.keep(text), parent: o.at})
	}
	o.d.nodes[at].name = o.d.keep(name)
	return at
}

// finish reports undeclared members and releases the object.
func (o *Object) finish() {
	d := o.d
	var strays []string
	for at := d.nodes[o.at].first; at != 0; at = d.nodes[at].next {
		if d.nodes[at].used {
			continue
		}
		name := string(d.nodes[at].name)
		if twin := o.twin(name); twin != "" {
			d.refuse(at, "one spelling of "+quote([]byte(twin)), "names that differ only in case", "")
			continue
		}
		hint := ""
		if len(strays) < maxCompared {
			strays = append(strays, name)
			hint = didYouMean(name, o.names)
		}
		switch {
		case d.Unknown == Reject:
			d.refuse(at, oneOfNames(o.names), "an unknown name", hint)
		case hint != "" && len(d.report.Warnings) < maxListed:
			d.report.Warnings = append(d.report.Warnings,
				d.What+" "+d.path(at)+" is unknown and was ignored; "+hint)
		}
	}
	for i := range d.report.Problems {
		p := &d.report.Problems[i]
		if p.lacks == "" || p.at != o.at {
			continue
		}
		if sent, ok := phrase.Nearest(p.lacks, strays); ok {
			p.Hint = "rename " + quote([]byte(sent)) + " to " + quote([]byte(p.lacks))
		}
	}
	clear(o.names)
	o.names, o.at = o.names[:0], 0
	d.spare = append(d.spare, o)
}

// twin returns the declared name of a member that differs only in case from name, or "" if there is
// none. A parser that ignores case would mix up the two members.
func (o *Object) twin(name string) string {
	for _, declared := range o.names {
		if len(declared) <= 3*len(name) && len(name) <= 3*len(declared) && strings.EqualFold(declared, name) && o.d.member(o.at, declared) != 0 {
			return declared
		}
	}
	return ""
}

// didYouMean returns a hint with the name that is most similar to the one that was sent, or "" if none is.
func didYouMean(sent string, names []string) string {
	near, ok := phrase.Nearest(sent, names)
	if !ok {
		return ""
	}
	return "did you mean " + strconv.Quote(near) + "?"
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
