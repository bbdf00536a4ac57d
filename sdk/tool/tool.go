package tool

import (
	"cmp"
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

	"github.com/jptool/jptool/sdk/decode"
	"github.com/jptool/jptool/sdk/elicit"
	"github.com/jptool/jptool/sdk/fault"
)

// A Tool is a handler with the code that decodes what it takes and encodes what
// it returns. It is safe for use by several goroutines.
type Tool struct {
	name    string
	run     func(context.Context, *Call, decode.Options) (Result, error)
	options func([]json.RawMessage) decode.Report
	format  func(json.RawMessage) (string, bool) // nil if the input has no say in it
	timeout time.Duration
	left    atomic.Int64 // runs that go on past their time
}

// A Codec is how a tool's types and JSON meet. Generated code fills it in. A tool
// that lacks a part has [None] for its type and a nil function.
type Codec[In, Ask, Opt, Out any] struct {
	// Input decodes the arguments.
	Input func(*decode.Object, *In)
	// Questions is the struct of the tool's questions, each bound to its id.
	Questions Ask
	// Options decodes the options.
	Options func(*decode.Object, *Opt)
	// Result renders what the handler returns.
	Result func(Out) (Result, error)
	// Timeout is how long a call may take; 0 leaves that to the server.
	Timeout time.Duration
}

// New returns the tool of that name. Arguments and options are decoded before
// handle is called, and all their problems returned at once.
func New[In, Ask, Opt, Out any](name string, c Codec[In, Ask, Opt, Out],
	handle func(context.Context, *Call, In, Ask, Opt) (Out, error)) *Tool {
	t := &Tool{name: name, timeout: c.Timeout, options: func(layers []json.RawMessage) decode.Report {
		var opt Opt
		return decodeOptions(layers, &opt, orNone(c.Options))
	}, format: formatter(orNone(c.Input))}
	t.run = func(ctx context.Context, call *Call, o decode.Options) (Result, error) {
		var (
			in     In
			opt    Opt
			report decode.Report
		)
		o.What = "argument"
		report.Merge(decode.Into(call.request.Arguments, &in, orNone(c.Input), o))
		report.Merge(decodeOptions(call.request.Options, &opt, orNone(c.Options)))
		if err := report.Err(); err != nil {
			return Result{}, err
		}
		out, err := handle(ctx, call, in, c.Questions, opt)
		if err != nil {
			return Result{}, err
		}
		result, err := c.Result(out)
		if err != nil {
			return Result{}, err
		}
		result.Warnings = append(result.Warnings, report.Warnings...)
		return result, nil
	}
	return t
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

// Run calls the tool. The error is a *[elicit.Pending], when a question must be
// answered first, or a *[fault.Error]; a panic of the handler becomes an internal
// fault with an incident id, its stack goes to the log. A pending question wins
// over whatever the handler returned. A call that takes longer than its tool or
// [Request.Timeout] allows is a timeout fault, whether or not its handler has returned.
func (t *Tool) Run(ctx context.Context, r Request, o decode.Options) (Result, error) {
	if r.ID == "" {
		r.ID = rand.Text()
	}
	if r.Asker == nil {
		r.Asker = elicit.Nobody{}
	}
	if r.Log == nil {
		r.Log = slog.Default()
	}
	call := &Call{tool: t.name, request: r}
	memo := newMemo(r.Once)
	handle := func(ctx context.Context, session *elicit.Session) (result Result, err error) {
		err = guard(call, func() (err error) {
			result, err = t.run(withMemo(elicit.WithSession(ctx, session), memo), call, o)
			return err
		})
		if held := session.Close(); held != nil {
			err = held
		}
		return result, err
	}
	var result Result
	var err error
	if limit := cmp.Or(t.timeout, r.Timeout); limit > 0 {
		result, err = t.within(ctx, limit, call, handle)
	} else {
		result, err = handle(ctx, newSession(call))
	}
	if err == nil {
		if len(r.Remarks) > 0 {
			result.Warnings = append(slices.Clip(r.Remarks), result.Warnings...)
		}
		return result, nil
	}
	if pending, ok := errors.AsType[*elicit.Pending](err); ok {
		return Result{Once: memo.results()}, pending
	}
	if fault.CodeOf(err) == fault.Internal {
		call.operator().Error("tool failed", "error", err)
	}
	return Result{}, fault.From(err)
}

func newSession(c *Call) *elicit.Session {
	return elicit.NewSession(c.tool, c.request.ID, c.request.Asker, c.request.Answers)
}

// guard runs a handler, ends its call, and turns its panic into a fault. What a panic
// says may hold anything, so only the log is told.
func guard(call *Call, run func() error) (err error) {
	defer call.files.close()
	defer func() {
		if p := recover(); p != nil {
			incident := rand.Text()[:12]
			call.operator().Error("tool panicked", "incident", incident, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			err = fault.New(fault.Internal, "the tool crashed; its operator finds the cause in the log as incident %s", incident)
		}
	}()
	return run()
}
