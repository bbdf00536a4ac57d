package decode

import (
	"bytes"
	"cmp"
	"encoding/json"
	"sync"
)

// Options configure decoding.
type Options struct {
	// Closed reports undeclared names, including those in nested objects, as problems.
	// Otherwise, they are ignored, with a warning if a declared name is similar.
	Closed bool
	// Strict disables the conversion of strings and single values.
	Strict bool
	// Exact accepts numbers beyond 2^53-1 for integers. Set it for values from programs that do not round numbers.
	Exact bool
	// What is the noun for a value in messages, such as "option"; the default is "argument".
	What string

	answers bool // the values are answers to a form
}

// Into decodes a JSON object into *dst. It calls fields once; fields calls [Field] for each
// declared field, in order. Empty input and null mean an empty object. If data is not one valid
// object, there is a single problem and fields is not called.
//
// If the report has problems, the fields without problems are set in *dst. *dst does not alias
// data.
func Into[T any](data []byte, dst *T, fields func(*Object, *T), o Options) Report {
	d := open(o)
	if v, ok := d.root(data); ok {
		Struct(fields)(v, dst)
	}
	return d.close()
}

// A decoder is the state of a call to Into.
type decoder struct {
	tape
	Options
	report Report
	trial  trial    // the state of try
	single int32    // the node that may be a single value for a list; 0 means no node
	object int32    // the object that is being decoded
	names  []string // the declared names so far, of this object and of the objects around it
	first  int      // the index of the first name of this object
	// supplied is set while a declared default is decoded, which no client can have rounded.
	supplied bool
}

type trial struct {
	on, refused bool
	noun        string // describes the values that the last Func expected
}

// pool reuses decoders, because most of the cost of a call is the allocation of their slices.
var pool = sync.Pool{New: func() any { return &decoder{tape: tape{nodes: make([]node, 1, 32)}} }}

func open(o Options) *decoder {
	d := pool.Get().(*decoder)
	d.Options = o
	d.What = cmp.Or(o.What, "argument")
	return d
}

func (d *decoder) close() Report {
	report := d.report
	d.report, d.trial, d.single, d.supplied, d.Options = Report{}, trial{}, 0, false, Options{}
	if cap(d.nodes) <= 1<<12 && cap(d.scratch) <= 1<<16 { // larger decoders are not reused
		clear(d.nodes)
		d.nodes, d.scratch = d.nodes[:1], d.scratch[:0]
		d.input = bytes.Buffer{}
		d.tokens.Reset(&d.input) // drops the reference to data
		pool.Put(d)
	}
	return report
}

// root returns the value in data. It returns false after reporting a problem.
func (d *decoder) root(data []byte) (v Value, ok bool) {
	if len(bytes.Trim(data, " \t\n\r")) == 0 {
		data = d.keep("{}")
	}
	at, bad := d.scan(data, 0)
	if bad != nil {
		d.add(*bad)
		return v, false
	}
	if d.nodes[at].kind == kindNull {
		d.nodes[at].kind = kindObject
	}
	return Value{d, at}, true
}

// dropsNext reports whether the next problem must not be stored. If so, it records that there is
// one.
func (d *decoder) dropsNext() bool {
	full := len(d.report.Problems) == maxKept
	if d.trial.on {
		d.trial.refused = true
	} else if full {
		d.report.more++
	}
	return d.trial.on || full
}

// try calls f without reporting problems, and returns whether there were any.
func (d *decoder) try(f func()) trial {
	before := d.trial
	defer func() { d.trial = before }()
	d.trial = trial{on: true}
	f()
	return d.trial
}

func (d *decoder) add(p Problem) {
	if !d.dropsNext() {
		p.what = d.What
		d.report.Problems = append(d.report.Problems, p)
	}
}

// refuse reports a problem with a value. If got is "", the problem shows the value.
func (d *decoder) refuse(at int32, expected, got, hint string) {
	if !d.dropsNext() {
		d.add(Problem{Path: d.path(at), Expected: expected, Got: cmp.Or(got, d.show(at)), Hint: hint})
	}
}

func (d *decoder) addMissing(at int32, name, expected string) {
	d.add(Problem{Path: join(d.path(at), []byte(name)), Expected: expected, Got: "nothing", at: at, lacks: name})
}

func (d *decoder) problemCount() int { return len(d.report.Problems) + d.report.more }

// Exactly returns a closed and strict variant of [Into] for values that come from a person or a
// host instead of a model. Hosts send nothing for a form without answers, "" for an optional field without an
// answer, and a string for an integer beyond 2^53-1, so these are accepted.
//
// The returned function returns a T, or the zero T and a *[fault.Error] with the code
// [fault.InvalidInput] that lists all problems.
func Exactly[T any](fields func(*Object, *T)) func(json.RawMessage) (T, error) {
	return func(data json.RawMessage) (T, error) {
		var value, none T
		report := Into(data, &value, fields, Options{Closed: true, Strict: true, What: "field", answers: true})
		if err := report.Err(); err != nil {
			return none, err
		}
		return value, nil
	}
}
