package handler

import (
	"cmp"
	"context"
	"encoding/json"
	"log/slog"
	"time"

	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/question"
	"github.com/jptool/jptool/sdk/tool"
)

// An Observer is called for each event of a run, in order. An event is valid only during the call.
type Observer func(*Event)

// A Moment is the kind of an [Event].
type Moment int

// The moments of a run.
const (
	Began    Moment = iota // the run begins
	Asked                  // the handler asks a question, whose answer may be known
	Answered               // the question has an answer, or cannot have one in this run
	Ended                  // the run has ended
	Received               // a client has sent a request or a notification; only observers of a server see it
	Replied                // the request has been answered, refused or canceled
)

// An Event is something that happens in a run, or with a request.
type Event struct {
	Moment Moment
	// Context is the context of the run or the request. What an observer sets for Began or Received is the context of
	// what follows.
	Context context.Context
	Run     *Run     // nil for Received and Replied
	Request *Request // set for Received and Replied
	// Question is set for Asked and Answered, and is nil otherwise. Observers must not change it.
	Question *question.Question
	// Action is what the user did, and Known is set if the answer was known before the question was asked.
	Action question.Action
	Known  bool
	// Err is why a question has no answer, or the outcome of the run or of the request.
	Err error

	read decodedInput               // what the handler received; set for Ended
	once map[string]json.RawMessage // what [tool.Once] did; set for Ended
}

// Again runs the handler of a run that has ended once more, with the same answers and after what [tool.Once] did, and
// returns how that run ends. Only a test uses it.
func (e *Event) Again(o Observer) error {
	r := e.Run
	second := &Run{
		Surroundings: r.Surroundings, Arguments: r.Arguments, Asker: r.Asker, Once: e.once, Rounds: r.Rounds,
		Contract: r.Contract, Rules: r.Rules, fields: r.fields, observe: o, context: e.Context,
	}
	second.begin(r.of)
	_, err := r.of.execute(e.Context, second, e.read)
	return err
}

// A Request is a message of a client.
type Request struct {
	Method  string
	ID      string // of JSON-RPC; "" for a notification
	Kind    Kind   // of what is called, read or got; "" for other methods
	Name    string // its name in the contract; "" if the contract does not have it
	URI     string // of the resource, as the client wrote it
	Version string // of MCP
	Session string // the id of the session; "" without one
	// Continues means that the request sends the answers to questions of an earlier one.
	Continues bool
	// Network is the transport, "tcp", "unix" or "pipe". Protocol and ProtocolVersion are those of HTTP, if it is
	// used, and Peer is the address of the client.
	Network, Protocol, ProtocolVersion, Peer string
	// Meta is the member _meta, and Header are the headers of the HTTP request, if any. Both are valid only for
	// Received.
	Meta   json.RawMessage
	Header map[string][]string
}

type observerKey struct{}

// Observe returns a context in which calls are observed. If ctx already has an observer, it is called first.
func Observe(ctx context.Context, o Observer) context.Context {
	return context.WithValue(ctx, observerKey{}, observerOf(ctx).And(o))
}

func observerOf(ctx context.Context) Observer {
	o, _ := ctx.Value(observerKey{}).(Observer)
	return o
}

// And returns an observer that calls o and then other. Each of them may be nil.
func (o Observer) And(other Observer) Observer {
	if o == nil || other == nil {
		if o == nil {
			return other
		}
		return o
	}
	return func(e *Event) {
		o(e)
		other(e)
	}
}

// emit reports an event about a question to the observer of the run, which must not be nil. A handler that keeps
// running after its timeout may ask while the run ends, so these events are not the one that began and ended share.
func (r *Run) emit(e Event) {
	e.Run, e.Context = r, r.context
	r.observe(&e)
}

// began reports the begin of the run to its observer, which must not be nil. The event has the context of the run.
func (r *Run) began(ctx context.Context) *Event {
	e := &Event{Moment: Began, Run: r, Context: ctx}
	r.observe(e)
	r.context = e.Context
	return e
}

// ended reports the end of the run, with the event that began returned.
func (r *Run) ended(e *Event, read decodedInput, once map[string]json.RawMessage, err error) {
	*e = Event{Moment: Ended, Run: r, Context: r.context, Err: err, read: read, once: once}
	r.observe(e)
}

// Oversized returns the size of the result and the budget of the tool, if the result was truncated and has no link to
// the whole.
func (r *Run) Oversized() (size, budget int) { return r.over, r.budget() }

// Tool returns the name of the tool.
func (r *Run) Tool() string { return r.of.name }

// debugLog returns an observer that logs a run for debugging, or nil if nobody reads such a log. Arguments, options,
// messages and answers are never logged, because they may be secret.
func (r *Run) debugLog() Observer {
	if !r.Log.Enabled(context.Background(), slog.LevelDebug) {
		return nil
	}
	log, began := r.state.ServerLog(), time.Now()
	return func(e *Event) {
		switch e.Moment {
		case Began:
			log.Debug("call begins", "round", r.Rounds+1, "answers", len(r.Answers), "principal", r.Caller.Subject)
		case Answered:
			how := map[question.Action]string{question.Accept: "accept", question.Decline: "decline", question.Cancel: "cancel"}[e.Action]
			if e.Err != nil {
				how = outcomeOf(e.Err)
			}
			log.Debug("question", "key", e.Question.Ref.Key, "subject", e.Question.Ref.Subject, "seq", e.Question.Ref.Seq,
				"answer", how, "known", e.Known)
		case Ended:
			log.Debug("call ends", "outcome", outcomeOf(e.Err), "took", time.Since(began))
		}
	}
}

func outcomeOf(err error) string {
	if tool.Asks(err) != nil {
		return "waits"
	}
	return cmp.Or(string(fault.CodeOf(err)), "result")
}
