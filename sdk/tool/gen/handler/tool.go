// Package handler runs handlers. It is for generated code.
//
// A handler is an ordinary method that jptoolgen wraps in a [Tool]. All protocols call tools
// through [Tool.Run]: it decodes arguments and options, lets the handler ask questions, and
// returns a [Result] or an error, which is a pending question or a fault.
package handler

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"log/slog"
	"reflect"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	jsonv2 "github.com/go-json-experiment/json"

	"github.com/jptool/jptool/internal/causes"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/decode"
	"github.com/jptool/jptool/sdk/gen/question"
	"github.com/jptool/jptool/sdk/tool"
)

// A Tool is a handler with its decoders and encoders. It is safe for concurrent use.
type Tool struct {
	name      string
	kind      Kind
	extras    // of a resource or a prompt
	questions *question.Set
	fails     []fault.Code
	read      func(*Run) (decodedInput, error)
	handle    func(context.Context, *Run, decodedInput) (Result, error)
	options   func([]json.RawMessage) decode.Report
	format    func(json.RawMessage) (string, bool) // calls the Format method of the arguments, if there is one
	timeout   time.Duration
	cursor    func() field // the argument of type Cursor, or the zero field
	variables func() []field
	choices   []field      // the arguments of type Fields
	list      string       // the result's member that contains a list of structs
	left      atomic.Int64 // runs that continue after their timeout
	// matches compares structured content with the schema; nil if the types guarantee a match.
	matches func(structured string) error
}

// A Codec connects a tool's Go types with JSON. Generated code provides it. A part that the
// tool lacks has type [None] and a nil function.
type Codec[In, Ask, Opt, Out any] struct {
	Kind      Kind                       // what the handler serves; "" means a tool
	Input     func(*decode.Object, *In)  // decodes the arguments
	Questions func(*question.Set) Ask    // creates the tool's questions as members of the set
	Options   func(*decode.Object, *Opt) // decodes the options
	Result    func(Out) (Result, error)  // renders what the handler returns
	Timeout   time.Duration              // the time limit of a call; 0 means the server's limit
	Fails     []fault.Code               // the codes that the tool declares
	// Output is the JSON Schema for structured content, or "" if the types guarantee that it matches.
	Output string
	// List is the name of the list in structured content whose items are reduced to the [tool.Fields] that
	// the caller names, or "" for tools without such an argument.
	List string
}

// New returns a tool. Problems with arguments and options are reported before handle is called.
func New[In, Ask, Opt, Out any](name string, c Codec[In, Ask, Opt, Out],
	handle func(context.Context, *tool.Call, In, Ask, Opt) (Out, error)) *Tool {
	if c.Input == nil { // undeclared arguments are still reported
		c.Input = func(*decode.Object, *In) {}
	}
	if c.Options == nil {
		c.Options = func(*decode.Object, *Opt) {}
	}
	t := &Tool{name: name, kind: cmp.Or(c.Kind, Callable), timeout: c.Timeout, fails: c.Fails, list: c.List}
	if t.list != "" {
		t.choices = fieldsOf[tool.Fields](reflect.TypeFor[In]())
	}
	t.cursor = sync.OnceValue(func() field { // run during the first call, so that the start takes less time
		if cursors := fieldsOf[tool.Cursor](reflect.TypeFor[In]()); cursors != nil {
			return cursors[0]
		}
		return field{}
	})
	t.variables = sync.OnceValue(func() []field { return variablesOf(reflect.TypeFor[In]()) })
	t.options = func(layers []json.RawMessage) decode.Report {
		return decodeOptions(layers, new(Opt), c.Options)
	}
	t.format = func(arguments json.RawMessage) (string, bool) {
		in := new(In)
		own, ok := any(in).(tool.Formatter)
		if !ok || len(decode.Into(arguments, in, c.Input, decode.Options{}).Problems) > 0 {
			return "", false
		}
		return own.Format(), true
	}
	var ask Ask
	if c.Questions != nil {
		t.questions = question.NewSet(name)
		ask = c.Questions(t.questions)
	}
	if c.Output != "" {
		t.matches = matching(c.Output)
	}
	t.read = func(run *Run) (decodedInput, error) {
		in, opt := new(In), new(Opt)
		report := decode.Into(run.Arguments, in, c.Input, run.Rules.Decoding)
		report.Merge(decodeOptions(run.Options, opt, c.Options))
		err := report.Err()
		if err == nil {
			err = cmp.Or(run.checkSpelling(in), run.open(in))
		}
		return decodedInput{in, opt, report.Warnings}, err
	}
	t.handle = func(ctx context.Context, run *Run, read decodedInput) (Result, error) {
		out, err := handle(ctx, (*tool.Call)(&run.state), *read.input.(*In), ask, *read.options.(*Opt))
		if err != nil {
			return Result{}, err
		}
		if run.keep != nil {
			run.keep(out)
		}
		result, err := c.Result(out)
		if t.matches != nil {
			result, err = result.then(err, func(r Result) (Result, error) { return r, t.matches(r.Structured) })
		}
		if err != nil {
			return Result{}, err
		}
		result.Warnings = slices.Concat(run.Remarks, result.Warnings, read.warnings)
		if result, err = run.complete(result); err != nil {
			return Result{}, err
		}
		return run.fit(result)
	}
	return t
}

type decodedInput struct {
	input, options any // pointers
	warnings       []string
}

// Name returns the name of the tool.
func (t *Tool) Name() string { return t.name }

// CheckOptions validates an object with some of the options, as a call would.
func (t *Tool) CheckOptions(options json.RawMessage) error {
	report := t.options([]json.RawMessage{options})
	report.Problems = slices.DeleteFunc(report.Problems, func(p decode.Problem) bool { return p.Got == "nothing" })
	return report.Err()
}

// Run calls the tool. The error is a *[question.Pending] if a question must be answered first,
// or a *[fault.Error] with a code that the tool may fail with.
//
// A panic in the handler becomes an internal fault with an incident id, and its stack is logged. An
// undeclared code also becomes an internal fault with an incident id, as does an error without a code if
// [Rules.HideErrors] is set. A pending question or a declined confirmation takes precedence over what
// the handler returned. A call that exceeds its timeout ends with a timeout fault, even if its handler has
// not returned.
func (t *Tool) Run(ctx context.Context, r *Run) (Result, error) {
	r.begin(t)
	r.observe = observerOf(ctx).And(r.Rules.Observer).And(r.debugLog())
	var seen *Event // nil if nobody observes the run
	if r.observe != nil {
		seen = r.began(ctx)
		ctx = seen.Context
	}
	if r.Rules.Quota != nil {
		done, f := r.limited()
		if f != nil {
			if seen != nil {
				r.ended(seen, decodedInput{}, nil, f)
			}
			return Result{}, f
		}
		defer done()
	}
	var read decodedInput
	err := r.guard(func() (err error) {
		read, err = t.read(r)
		return err
	})
	r.rejected = err != nil
	run := t.run
	if len(r.Rules.Interceptors) > 0 {
		run = t.intercept
	}
	result, err := run(ctx, r, read, err)
	if seen != nil {
		r.ended(seen, read, result.Once, err)
	}
	return result, err
}

// run runs the handler, unless decoding failed with err.
func (t *Tool) run(ctx context.Context, r *Run, read decodedInput, err error) (result Result, _ error) {
	if err == nil {
		result, err = t.execute(ctx, r, read)
	}
	if err == nil {
		return result, nil
	}
	if tool.Asks(err) != nil {
		return Result{Once: r.state.Results()}, err
	}
	return Result{}, border(r, true, err)
}

func (t *Tool) runHandler(ctx context.Context, r *Run, read decodedInput) (result Result, err error) {
	defer r.state.End()
	err = r.guard(func() (err error) {
		result, err = t.handle(ctx, r, read)
		inspect(err)
		return err
	})
	return result, err
}

// guard calls f and converts a panic to a fault without the panic's value, which may be secret.
func (r *Run) guard(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			r.crashed.Store(true)
			incident := r.incident("tool panicked", "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			err = fault.New(fault.Internal, "the %s crashed; see the server's log for incident %s", r.of.noun(), incident)
		}
	}()
	return f()
}

// incident logs data that the caller must not see, and returns an id that the log record contains.
func (r *Run) incident(event string, attrs ...any) string {
	id := rand.Text()[:12]
	r.state.ServerLog().Error(event, append([]any{"incident", id}, attrs...)...)
	return id
}

// border converts an error to the fault that the caller receives. If declared is set, its code is one that the
// tool may fail with. Anything that the caller does not receive is logged.
func border(r *Run, declared bool, err error) *fault.Error {
	return fault.From(r.guard(func() error { // a method of the error or of its details may panic
		return r.fitFault(classify(r, declared, err))
	}))
}

// inspect calls the methods of an error that the runtime uses. They may panic or never return, so they are called
// where a panic is recovered, which package fmt would print, and where a handler's time limit applies.
func inspect(err error) {
	if err != nil && !isNilPointer(err) {
		_, _ = err.Error(), fault.From(err).Trace()
	}
}

func isNilPointer(err error) bool {
	v := reflect.ValueOf(err)
	return v.Kind() == reflect.Pointer && v.IsNil()
}

func classify(r *Run, declared bool, err error) *fault.Error {
	if isNilPointer(err) {
		incident := r.incident("tool returned a nil pointer as its error", "type", fmt.Sprintf("%T", err))
		return fault.New(fault.Internal, "the %s returned a nil %T as its error, which Go does not treat as a nil error; "+
			"see the server's log for incident %s", r.of.noun(), err, incident)
	}
	f := fault.From(err)
	raw, _ := causes.AsType[*fault.Error](err)
	code := f.Code
	if raw != nil {
		code = raw.Code // including malformed and empty codes
	}
	var causes slog.Attr // empty without causes
	if raw != nil && raw.Cause != nil {
		causes = slog.Any("causes", raw.Trace())
	}
	switch {
	case !code.Valid() || declared && !slices.Contains(fault.Common(), code) && !slices.Contains(r.of.fails, code):
		return r.internalFault(r.incident("tool failed with a code that //jp:fails does not declare", "code", string(code), "error", err))
	case raw == nil && f.Code == fault.Internal && r.Rules.HideErrors:
		return r.internalFault(r.incident("tool failed", "error", err))
	case f.Code == fault.Internal:
		r.state.ServerLog().Error("tool failed", "error", err, causes)
	case err != error(f) || f.Cause != nil: // the caller does not receive all of it
		r.state.ServerLog().Info("tool failed", "code", string(f.Code), "error", err, causes)
	}
	if r.Rules.HideErrors && f.Cause != nil {
		received := *f
		received.Cause = nil
		f = &received
	}
	return f
}

func (r *Run) internalFault(incident string) *fault.Error {
	return fault.New(fault.Internal, "the %s failed; see the server's log for incident %s", r.of.noun(), incident)
}

// decodeOptions decodes layers of options. A later layer overrides the same options of earlier layers.
func decodeOptions[T any](layers []json.RawMessage, dst *T, fields func(*decode.Object, *T)) decode.Report {
	var data json.RawMessage
	if len(layers) == 1 {
		data = layers[0] // unchanged, so that the decoder validates it
	} else if len(layers) > 1 {
		merged := map[string]json.RawMessage{}
		for _, layer := range layers {
			if len(layer) == 0 || string(layer) == "null" {
				continue
			}
			// Unmarshaling into a map keeps the members that the layer does not have.
			if err := jsonv2.Unmarshal(layer, &merged); err != nil || merged == nil {
				return decode.Report{Problems: []decode.Problem{
					{Path: "options", Expected: "an object without duplicate member names", Got: "something else"}, // not shown, because it may contain a secret
				}}
			}
		}
		data, _ = json.Marshal(merged) // cannot fail: the values were decoded from JSON
	}
	return decode.Into(data, dst, fields, decode.Options{What: "option", Exact: true})
}
