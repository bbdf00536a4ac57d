package handler

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/decode"
	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/sdk/gen/question"
	"github.com/jptool/jptool/sdk/tool"
	"github.com/jptool/jptool/sdk/tool/internal/callstate"
)

// A Caller is who calls a tool.
type Caller = callstate.Caller

// Lacking is what follows if a caller lacks scopes that something needs.
type Lacking = callstate.Lacking

// Values of [Lacking].
const (
	Nothing = callstate.Nothing
	Hides   = callstate.Hides
	Refuses = callstate.Refuses
)

// A Grant is what a caller may use in a call.
type Grant = callstate.Grant

// A Keeper keeps results of tool.Once, so that they survive the process.
type Keeper = callstate.Keeper

// Surroundings are what a handler can learn about its call, and what it can use.
type Surroundings = callstate.Surroundings

// A Run is one run of a tool: the call as it was received over a protocol, and the state of its handler. Every
// exported field is optional. A Run is used once.
type Run struct {
	Surroundings
	Arguments json.RawMessage            // as the model sent them; nil and null mean an empty object
	Asker     question.Asker             // answers new questions; with the zero value, asking fails
	Once      map[string]json.RawMessage // the results of [tool.Once] from an earlier run, by key
	Rounds    int                        // the number of questions in earlier runs
	Contract  *manifest.Tool             // the published contract; nil for a tool without a server
	Rules     *Rules                     // of the server; nil means none
	Offer     *Offer                     // set if the run serves a resource or a prompt
	// Trace is what an observer keeps for the next run of the call. A wire that keeps the state of a call keeps it.
	Trace string

	of      *Tool
	state   callstate.Call // what the handler receives
	fields  tool.Fields    // the members that the caller requested for each item of the list
	session interface {    // a *question.Session, or bare for a tool without questions
		With(context.Context) context.Context
		End(error) error
	}
	keep    func(out any) // receives what the handler returned; see Invoke
	bare    question.Bare
	observe Observer        // nil if nobody observes the run
	context context.Context // of the run; set only if it is observed
	over    int             // the size of a result that was truncated and has no link to the whole, or 0
	crashed atomic.Bool
	// rejected is set if the arguments or the options could not be decoded.
	rejected bool
}

// Crashed reports whether code of the program panicked.
func (r *Run) Crashed() bool { return r.crashed.Load() }

// Rejected reports whether the arguments or the options did not match the contract.
func (r *Run) Rejected() bool { return r.rejected }

// Rules apply to all calls of a server.
type Rules struct {
	Server       string // the name of the server
	Decoding     decode.Options
	Interceptors []tool.Interceptor // run around each call; the first is outermost
	Observer     Observer           // of each run; nil means none
	Timeout      time.Duration      // the time limit for tools that do not declare one; 0 means none
	MaxRounds    int                // the maximum number of questions in a call; 0 means 100
	// HideErrors replaces the text of errors without a code with an incident id, and hides causes.
	HideErrors bool
	// Quota limits the runs of each caller; nil means no limit.
	Quota Quota
	// Cursors returns what seals cursors; nil means that a cursor is the position itself.
	Cursors func() Marker
}

// A Quota limits the runs of each caller. It is safe for concurrent use.
type Quota interface {
	// Take counts a run of a tool, resource or prompt. If the quota is used up, wait is the time after which another
	// run may succeed. Otherwise, it is 0, and done must be called at the end of the run.
	Take(caller, tool string) (done func(), wait time.Duration)
}

// limited counts the run, and returns a fault if the quota of the caller is used up.
func (r *Run) limited() (done func(), f *fault.Error) {
	done, wait := r.Rules.Quota.Take(r.Caller.Subject, r.Tool())
	if wait <= 0 {
		return done, nil
	}
	ms := max(1, wait.Milliseconds())
	f = fault.New(fault.Unavailable, "too many calls; call again after %d ms", ms)
	f.Details = map[string]any{"retry_after_ms": ms}
	return nil, f
}

// A Marker seals short texts for a purpose.
type Marker interface {
	Mark(text, purpose []byte) string
	OpenMark(mark string, purpose []byte) (text []byte, err error)
}

// Decoding returns the decoding options for a policy on undeclared arguments.
func Decoding(u manifest.Unknown) decode.Options {
	return decode.Options{Closed: u == manifest.Reject}
}

// begin prepares the run of t. Fields that are not set get their defaults.
func (r *Run) begin(t *Tool) {
	if r.ID == "" {
		r.ID = rand.Text()
	}
	if r.Asker.Ask == nil {
		r.Asker = question.CannotAsk(nil)
	}
	if r.Rules == nil {
		r.Rules = &Rules{}
	}
	r.Log = cmp.Or(r.Log, slog.Default())
	r.of = t
	r.state.Begin(t.name, &r.Surroundings)
}
