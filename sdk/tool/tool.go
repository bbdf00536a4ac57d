package tool

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"
	"sync/atomic"
	"time"

	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/decode"
	"github.com/jptool/jptool/sdk/gen/question"
)

// A Tool is a handler with the code that decodes what it takes and encodes what
// it returns. It is safe for use by several goroutines.
type Tool struct {
	name      string
	questions *question.Set
	fails     []fault.Code
	read      func(Request, decode.Options) (reading, error)
	handle    func(context.Context, *Call, reading) (Result, error)
	options   func([]json.RawMessage) decode.Report
	format    func(json.RawMessage) (string, bool) // nil if the input has no say in it
	timeout   time.Duration
	left      atomic.Int64 // runs that go on past their time
}

// A Codec is how a tool's types and JSON meet. Generated code fills it in. A tool
// that lacks a part has [None] for its type and a nil function.
type Codec[In, Ask, Opt, Out any] struct {
	// Input decodes the arguments.
	Input func(*decode.Object, *In)
	// Questions makes the struct of the tool's questions, each one of the set.
	Questions func(*question.Set) Ask
	// Options decodes the options.
	Options func(*decode.Object, *Opt)
	// Result renders what the handler returns.
	Result func(Out) (Result, error)
	// Fails are the codes that the tool declares beyond those of every tool.
	Fails []fault.Code
	// Timeout is how long a call may take; 0 leaves that to the server.
	Timeout time.Duration
}

// New returns the tool of that name. Arguments and options are decoded before
// handle is called, and all their problems returned at once.
func New[In, Ask, Opt, Out any](name string, c Codec[In, Ask, Opt, Out],
	handle func(context.Context, *Call, In, Ask, Opt) (Out, error)) *Tool {
	t := &Tool{name: name, timeout: c.Timeout, fails: c.Fails, options: func(layers []json.RawMessage) decode.Report {
		var opt Opt
		return decodeOptions(layers, &opt, orNone(c.Options))
	}, format: formatter(orNone(c.Input))}
	var ask Ask
	if c.Questions != nil {
		t.questions = question.NewSet(name)
		ask = c.Questions(t.questions)
	}
	t.read = func(r Request, o decode.Options) (reading, error) {
		in, opt := new(In), new(Opt)
		var report decode.Report
		o.What = "argument"
		report.Merge(decode.Into(r.Arguments, in, orNone(c.Input), o))
		report.Merge(decodeOptions(r.Options, opt, orNone(c.Options)))
		return reading{in, opt, report.Warnings}, report.Err()
	}
	t.handle = func(ctx context.Context, call *Call, read reading) (Result, error) {
		out, err := handle(ctx, call, *read.input.(*In), ask, *read.options.(*Opt))
		if err != nil {
			return Result{}, err
		}
		result, err := c.Result(out)
		if err != nil {
			return Result{}, err
		}
		result.Warnings = append(result.Warnings, read.warnings...)
		return result, nil
	}
	return t
}

// A reading is the arguments and options of a call, which have been decoded, as pointers,
// and remarks on them.
type reading struct {
	input, options any
	warnings       []string
}

// orNone returns fields, or for a tool without input a function that knows no
// field, so that arguments sent to it are still judged.
func orNone[T any](fields func(*decode.Object, *T)) func(*decode.Object, *T) {
	if fields == nil {
		return func(*decode.Object, *T) {}
	}
	return fields
}

// Name returns the name of the tool.
func (t *Tool) Name() string { return t.name }

// CheckOptions returns what is wrong with an object of options, as a call would.
func (t *Tool) CheckOptions(options json.RawMessage) error {
	return t.options([]json.RawMessage{options}).Err()
}

// Run calls the tool. The error is a *[question.Pending], when a question must be
// answered first, or a *[fault.Error] of a code that the tool may fail with.
//
// A panic of the handler becomes an internal fault with an incident id, and its stack
// goes to the log; so do an error without a code where [Request.HideErrors] says so, and
// a code that the tool does not declare. A pending question wins over whatever the
// handler returned, and so does a confirmation that was declined. A call that takes
// longer than its tool or [Request.Timeout] allows is a timeout fault, whether or not
// its handler has returned.
//
// [Request.Interceptors] stand around it all.
func (t *Tool) Run(ctx context.Context, r Request, o decode.Options) (Result, error) {
	r = r.complete()
	ended := t.trace(&r)
	call := newCall(t.name, &r)
	read, err := recovered(call, func() (reading, error) { return t.read(call.request, o) })
	var result Result
	if len(call.request.Interceptors) > 0 {
		result, err = t.intercepted(ctx, call, read, err)
	} else {
		result, err = t.run(ctx, call, read, err)
	}
	ended(err)
	return result, err
}

// run runs what was read, unless that has failed.
func (t *Tool) run(ctx context.Context, call *Call, read reading, err error) (Result, error) {
	var result Result
	if err == nil {
		if h, ok := ctx.Value(rehearsalKey{}).(*rehearsal); ok {
			result, err = h.run(ctx, t, call, read)
		} else {
			result, err = t.execute(ctx, call, read)
		}
	}
	pending, asks := errors.AsType[*question.Pending](err)
	switch {
	case err == nil:
		if len(call.request.Remarks) > 0 {
			result.Warnings = append(slices.Clip(call.request.Remarks), result.Warnings...)
		}
		return result, nil
	case asks:
		return Result{Once: call.memo.results()}, pending
	}
	return Result{}, border(call, t.fails, err)
}

// complete returns the request with what it lacks.
func (r Request) complete() Request {
	if r.ID == "" {
		r.ID = rand.Text()
	}
	if r.Asker.Ask == nil {
		r.Asker = question.Nobody(nil)
	}
	if r.Log == nil {
		r.Log = slog.Default()
	}
	return r
}

// newCall returns the call of a request that is complete.
func newCall(name string, r *Request) *Call { return &Call{tool: name, request: *r} }

// handled runs the handler of a call, and ends the call.
func (t *Tool) handled(ctx context.Context, call *Call, read reading) (Result, error) {
	defer call.files.close()
	return recovered(call, func() (Result, error) { return t.handle(ctx, call, read) })
}

// recovered turns a panic of f into a fault. What a panic says may hold anything, so only
// the log is told.
func recovered[R any](call *Call, f func() (R, error)) (result R, err error) {
	defer func() {
		if p := recover(); p != nil {
			incident := call.incident("tool panicked", "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			err = fault.New(fault.Internal, "the tool crashed; its operator finds the cause in the log as incident %s", incident)
		}
	}()
	return f()
}

// incident logs what the caller is not told, and returns the id by which the log has it.
func (c *Call) incident(event string, attrs ...any) string {
	id := rand.Text()[:12]
	c.operator().Error(event, append([]any{"incident", id}, attrs...)...)
	return id
}
