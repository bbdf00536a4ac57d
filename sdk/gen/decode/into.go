package decode

import "sync"

// Unknown says what becomes of a name that no field declares.
type Unknown int

const (
	// Ignore drops the value. A warning is made when a declared name is near.
	Ignore Unknown = iota
	// Reject makes it a problem.
	Reject
)

// Options say how to decode.
type Options struct {
	// Unknown is the policy for undeclared names, in nested objects too.
	Unknown Unknown
	// Strict turns the conversion of strings off.
	Strict bool
	// What is the noun for a value in messages, "argument" or "option"; empty is
	// "argument".
	What string
}

// Into decodes a JSON object into *dst. It calls fields once with the object;
// fields calls [Field] for each field it declares, in order. No data, white space and null
// are an empty object, and so is a string which holds the text of one, unless
// o.Strict. Data that is not one well-formed object is a single problem, and
// fields is not called.
//
// When the report has problems, *dst holds the fields that did fit. Nothing in
// *dst aliases data.
func Into[T any](data []byte, dst *T, fields func(*Object, *T), o Options) Report {
	d := open(o)
	if root := d.root(data); root != nil {
		fields(root, dst)
		root.finish()
	}
	return d.close()
}

// A decoder is the state of one Into.
type decoder struct {
	tape
	Options
	report Report
	spare  []*Object
	ask    ask
}

// An ask makes refusals answers instead of problems: it is how a field finds out
// what a Func would accept.
type ask struct {
	asking  bool
	refused bool
	last    refusal
}

type refusal struct {
	at     int32
	noun   string
	extent string
}

// pool keeps decoders, whose slices make up most of the cost of a call.
var pool = sync.Pool{New: func() any { return &decoder{tape: tape{nodes: make([]node, 0, 32)}} }}

// A decoder that has grown beyond these is left to the collector.
const (
	keepNodes   = 1 << 12
	keepScratch = 1 << 16
)

func open(o Options) *decoder {
	d := pool.Get().(*decoder)
	d.reset()
	d.Options = o
	if d.What == "" {
		d.What = "argument"
	}
	return d
}

func (d *decoder) close() Report {
	report := d.report
	d.report, d.ask, d.Options = Report{}, ask{}, Options{}
	if cap(d.nodes) <= keepNodes && cap(d.scratch) <= keepScratch {
		d.reset()
		d.tokens.Reset(&d.input) // lets go of the data
		pool.Put(d)
	}
	return report
}

// root returns the object in data, or nil after a problem.
func (d *decoder) root(data []byte) *Object {
	if blank(data) {
		data = emptyObject
	}
	at, bad := d.scan(data, 0)
	if bad != nil {
		d.add(Problem{Path: bad.path, Expected: bad.expected, Got: bad.got})
		return nil
	}
	v := Value{d, at}
	if v.kind() == kindNull {
		v.node().kind = kindObject
	}
	return v.object()
}

var emptyObject = []byte("{}")

func blank(data []byte) bool {
	for _, c := range data {
		if c != ' ' && c != '\t' && c != '\n' && c != '\r' {
			return false
		}
	}
	return true
}

// full counts a problem that is not worth describing any more.
func (d *decoder) full() bool {
	if len(d.report.Problems) < maxKept {
		return false
	}
	d.report.more++
	return true
}

func (d *decoder) add(p Problem) {
	if d.full() {
		return
	}
	p.what = d.What
	d.report.Problems = append(d.report.Problems, p)
}

// found counts the problems so far.
func (d *decoder) found() int { return len(d.report.Problems) + d.report.more }
