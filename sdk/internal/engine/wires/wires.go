// Package wires implements the ways in which the questions of a call reach a user, and its outcome reaches the
// caller.
//
// Each way is a [Wire], in a file of its own: in the results of rounds, in elicitations, to nobody, in an Outcome or
// in content blocks for a JP host, in the output of a local tool, and in process. A server has a [Set] of them, which
// chooses the wire of a call once, when the call is admitted. No other code asks which protocol a client speaks.
package wires

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"

	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/sdk/gen/question"
	"github.com/jptool/jptool/sdk/internal/rpc"
	"github.com/jptool/jptool/sdk/internal/seal"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

// A Wire carries one call.
type Wire interface {
	// Begin sets the asker of a run, and adds what earlier runs of the call left: answers, and results of
	// tool.Once. The error is a fault, or a *[rpc.Error] if the request itself is wrong.
	Begin(run *handler.Run, o *Outcome) error
	// End completes the outcome of the run, and keeps what the next run of the call needs.
	End(run *handler.Run, o *Outcome)
	// Render appends the outcome as the caller reads it. It may run after [Call.Message] has been released.
	Render(w *rpc.Writer, o *Outcome)
	// Refuse returns the protocol error for a call that cannot be made, or nil if the caller reads the fault as the
	// outcome of the call.
	Refuse(f *fault.Error) *rpc.Error
}

// An Outcome is the end of a call, or of one of its rounds.
type Outcome struct {
	Result handler.Result
	Err    error

	wire  Wire
	round *round // of the wire rounds
}

// AppendTo appends the outcome as the caller reads it.
func (o *Outcome) AppendTo(w *rpc.Writer) { o.wire.Render(w, o) }

// Run runs a tool over a wire and sets the outcome.
func (o *Outcome) Run(ctx context.Context, w Wire, t *handler.Tool, run *handler.Run) (refused *rpc.Error) {
	if refused := o.Begin(w, run); refused != nil {
		return refused
	}
	o.Call(ctx, t, run)
	o.End(run)
	return nil
}

// Begin begins a run over a wire. [Outcome.Call] and [Outcome.End] must follow unless it returns an error.
func (o *Outcome) Begin(w Wire, run *handler.Run) (refused *rpc.Error) {
	o.wire = w
	o.Err = w.Begin(run, o)
	refused, _ = errors.AsType[*rpc.Error](o.Err)
	return refused
}

// Call runs a tool unless Begin failed with a fault.
func (o *Outcome) Call(ctx context.Context, t *handler.Tool, run *handler.Run) {
	if o.Err == nil {
		o.Result, o.Err = t.Run(ctx, run)
	}
}

// End sets the outcome of the run.
func (o *Outcome) End(run *handler.Run) { o.wire.End(run, o) }

// A Line connects a wire with the client of a request.
type Line interface {
	// Ask sends a request to the client and waits for the response.
	Ask(ctx context.Context, method string, params any) (*rpc.Message, error)
	// Notify sends a notification.
	Notify(method string, params any) error
	// CanAsk reports whether the client can respond to requests.
	CanAsk() bool
}

// A Call is a request as its wire sees it.
type Call struct {
	Client
	Line     Line
	Message  *rpc.Message    // nil once released
	Contract *manifest.Tool  // the called tool, or the view of a resource or prompt; nil if it is not in the contract
	Former   *manifest.Alias // set if the call uses a former name of the tool
	Offer    *handler.Offer  // set if the request is for a resource or a prompt
	Fresh    Freshness       // of the result of a read
	Wire     Wire            // set by [Set.Admit], as is set

	set *Set
}

// Failed returns the outcome of a call that does not run, or does not finish.
func (c *Call) Failed(err error) *Outcome { return Refused(c.Wire, err) }

// Refused returns the outcome of a run over w that does not begin.
func Refused(w Wire, err error) *Outcome { return &Outcome{Err: err, wire: w} }

// Done returns the outcome of a call that needs no run.
func (c *Call) Done(result handler.Result) *Outcome { return &Outcome{Result: result, wire: c.Wire} }

// canAsk reports whether the client can show questions and respond to them.
func (c *Call) canAsk() bool { return c.Elicits && (c.Has(Stateless) || c.Line.CanAsk()) }

// notifyVisited notifies the client that its user has finished a visit.
func (c *Call) notifyVisited(q question.Question) {
	if c.Visits { // the result tells the client the same, so a failure does not matter
		_ = c.Line.Notify(rpc.NoteVisited, map[string]string{"elicitationId": q.VisitID()})
	}
}

// A Set contains the wires of a server.
type Set struct {
	Server *manifest.Server
	Info   rpc.JSON // the name and the version of the server, for results
	Log    *slog.Logger

	host      *host // for a JP host; nil for MCP
	asker     question.Asker
	keys      func() *seal.Ring
	cannotAsk question.Asker
	relays    bool // a model may relay answers if the client cannot ask
	memory    memory
}

// NewSet returns the wires of a server, for clients of MCP or, with a version of JP's protocol, for a JP host. keys
// encrypt the state that clients keep between the rounds of a call; nil generates a key.
func NewSet(
	server *manifest.Server, info rpc.JSON, tools []*manifest.Tool, version string, keys *seal.Ring, log *slog.Logger,
) *Set {
	s := &Set{Server: server, Info: info, Log: log, host: hostOf(version), cannotAsk: question.CannotAsk(resend)}
	if s.host != nil {
		s.asker = s.host.asker(Requests)
	} else {
		s.relays = slices.ContainsFunc(tools, isRelayed)
	}
	s.keys = func() *seal.Ring { return keys }
	if keys == nil {
		s.keys = sync.OnceValue(seal.NewRing) // most servers need none
	}
	return s
}

// Admit chooses the wire of a call. In requests that are not calls, it prepares the other methods of c.
func (s *Set) Admit(c *Call) {
	c.set = s
	switch {
	case s.host != nil && c.Offer == nil:
		c.Wire = hosted{c}
	case s.host != nil: // JP reads resources and prompts like any MCP client, and asks no questions
		c.Wire = nobody{mcp{c}}
	case c.Contract == nil || len(c.Contract.Questions) == 0 || !c.canAsk():
		c.Wire = nobody{mcp{c}}
	case c.Has(Stateless):
		c.Wire = rounds{mcp{c}}
	default:
		c.Wire = elicitation{mcp{c}}
	}
}

// Input returns the schema of the arguments of a tool for the client of a request. If nobody can be asked, the
// arguments include the answers that a model may relay.
func (c *Call) Input(t *manifest.Tool) manifest.Schema {
	if c.set.relays && !c.canAsk() {
		return t.InputForModels()
	}
	return t.Input
}

// Varies reports whether the schemas of arguments depend on the client.
func (s *Set) Varies() bool { return s.relays }
