// Package caller calls tools as a host does: it uses one of several wire formats, and passes the questions of a
// tool to a function that answers them.
package caller

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/shape"
	"github.com/jptool/jptool/internal/peer"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/sdk/jp/jphost"
	"github.com/jptool/jptool/sdk/jp/wire"
)

// A Wire is the wire format of a call, its questions and its result.
type Wire string

// The wire formats of a call.
const (
	Auto       Wire = ""            // MCP in the server's version, with questions
	Rounds     Wire = "mrtr"        // MCP's multi round-trip requests
	Elicit     Wire = "elicit"      // MCP's elicitation, in a session
	Unattended Wire = "none"        // MCP without questions
	JP         Wire = "jp"          // JP's Outcome
	JPUntagged Wire = "jp-untagged" // JP's Outcome with the questions of JP before 2026-08-24
	Blocks     Wire = "blocks"      // JP's content blocks (RFD 058)
	Local      Wire = "local"       // a command that JP runs again after each answer
	Plugin     Wire = "plugin"      // the same with the call on standard input: a command plugin of JP (RFD 072)
)

// Wires returns the names of all wire formats except [Auto].
func Wires() []string {
	var names []string
	for _, w := range []Wire{JP, JPUntagged, Rounds, Elicit, Unattended, Blocks, Local, Plugin} {
		names = append(names, string(w))
	}
	return names
}

// IsJP reports whether results have one of JP's own forms.
func (w Wire) IsJP() bool { return w == JP || w == JPUntagged || w == Blocks || w.Runs() }

// Runs reports whether each call runs a program, instead of using a session.
func (w Wire) Runs() bool { return w == Local || w == Plugin }

// MCPWires returns the names of the MCP wire formats, which requests other than calls can use.
func MCPWires() []string { return []string{string(Rounds), string(Elicit), string(Unattended)} }

// ParseWire returns the wire format with the given name, which must be one of the known names or the former name of
// one.
func ParseWire(name string, known []string) (Wire, error) {
	if name == "jp-082" {
		name = string(JP)
	}
	if name != "" && !slices.Contains(known, name) {
		return "", fmt.Errorf("unknown --wire %q (known: %s)", name, strings.Join(known, ", "))
	}
	return Wire(name), nil
}

// Flags returns the arguments that select the wire format in a program built with jptool.
func (w Wire) Flags() []string {
	switch w {
	case JP:
		return []string{"--jp"}
	case JPUntagged:
		return []string{"--jp=outcome-untagged"}
	case Blocks:
		return []string{"--jp=blocks"}
	}
	return nil
}

// version returns the version of MCP that the wire format uses.
func (w Wire) version() string {
	switch w {
	case Rounds:
		return peer.Rounds
	case Elicit, JP, JPUntagged, Blocks:
		return peer.Sessions
	}
	return ""
}

// Options returns the client options that the wire format needs. ask answers the questions that arrive as MCP
// elicitations.
func (w Wire) Options(o peer.Options, ask Ask) peer.Options {
	o.Version = w.version()
	if w == Auto || w == Rounds || w == Elicit {
		o.Elicit, o.URL = ask.elicit, true
	}
	o.Tasks = w == Auto || w == Rounds
	return o
}

// A Question describes a question that a tool asks. It does not depend on the wire format.
type Question struct {
	// ID identifies the question. It is "" if the wire format has no ids.
	ID string
	// Preamble is text to show before the question.
	Preamble string
	Text     string
	// URL is the page that the person is asked to open. The answer is yes or no.
	URL string
	// Schema describes the answer. For a form, it has properties.
	Schema shape.Schema
	Form   bool
	// Titled is set if the choices may be titles of values. The server also accepts the values, which the client
	// does not know.
	Titled bool
	// Exclusive is set if the contract declares that a person must answer.
	Exclusive bool
}

// Ask returns the answer to a question, or [terminal.ErrCanceled] or [terminal.ErrDeclined].
type Ask func(context.Context, Question) (jsontext.Value, error)

// A Call describes a call to a tool, or a request for a resource or a prompt.
type Call struct {
	// Kind is "resource" or "prompt", or anything else for a tool, as in [manifest.Entry].
	Kind string
	// Tool is the name of the tool, resource or prompt.
	Tool string
	// URI is the URI of the resource.
	URI string
	// Questions are the questions that the contract declares for the tool.
	Questions []manifest.Question
	Arguments jsontext.Value
	// Options is the object of tool options that the user of a JP host would configure, or nil.
	Options jsontext.Value
	// Answers are sent with the first request. They are for servers that cannot ask questions.
	Answers map[string]json.RawMessage
	// Root is the root directory for the call. If it is "", the call sends no root directory.
	Root string
	// Dir is the root directory that a JP host sends if Root is "".
	Dir string
	// Silence is the time for which the tool may run without reporting progress.
	Silence time.Duration
	// Detach means that the outcome of a call that becomes a task is the id of the task.
	Detach bool
}

// An Outcome is the result of a call.
type Outcome struct {
	IsError bool
	// Code is the code of the fault, or "" if the wire format has no codes.
	Code string
	// Text is the text that a model would see. Texts are its parts in the content blocks of a plain result.
	Text  string
	Texts []string
	// Questions are the questions that the tool asks instead of returning a result, in the order in which they are
	// asked.
	Questions []Question
	// Unanswered is the question that the tool could not ask, if the fault names one.
	Unanswered *Question
	// Warning describes a contradiction in the result, or is "" if the result is consistent.
	Warning string
	// Structured is the result as a value, or nil.
	Structured jsontext.Value
	// Contents are the contents of a resource, and Messages the messages of a prompt.
	Contents []peer.Contents
	Messages []peer.PromptMessage
	// Task is the id of the task that the call became, if the caller does not follow it.
	Task string
	// Raw is the result as it was received, in JSON.
	Raw jsontext.Value
}

// get makes a request for a resource or a prompt, without the questions of JP's wire formats. A fault is a protocol error
// with the code in its data.
func (c Call) get(ctx context.Context, s *peer.Session, meta map[string]any) (*Outcome, error) {
	g := peer.Get{Meta: meta, Silence: c.Silence}
	var out *Outcome
	var err error
	if c.Kind == "prompt" {
		g.Name, g.Arguments = c.Tool, c.Arguments
		var r *peer.PromptResult
		if r, err = s.Prompt(ctx, g); err == nil {
			out = &Outcome{Messages: r.Messages, Raw: r.Raw}
		}
	} else {
		g.URI = c.URI
		var r *peer.ReadResult
		if r, err = s.Read(ctx, g); err == nil {
			out = &Outcome{Contents: r.Contents, Raw: r.Raw}
		}
	}
	if failed, ok := errors.AsType[*peer.RemoteError](err); ok {
		return failedOutcome(failed), err
	}
	return out, err
}

// On makes a call in a session that was opened with the [Wire.Options] of w. If ask is nil, a question ends the
// call and is part of the outcome.
func (c Call) On(ctx context.Context, s *peer.Session, w Wire, ask Ask) (*Outcome, error) {
	once := func(answers map[string]json.RawMessage) (*Outcome, error) {
		meta, err := c.meta(w, answers)
		if err != nil {
			return nil, err
		}
		send := func() (*Outcome, error) { return c.send(ctx, s, w, meta) }
		out, err := send()
		if err != nil {
			if again := ask.openRequired(ctx, err); again == nil {
				out, err = send()
			} else {
				err = again
			}
		}
		if out != nil && out.IsError && out.Code != "" { // a fault is an outcome, even as a protocol error
			err = nil
		}
		if err != nil {
			return nil, err
		}
		q := out.Unanswered
		if q == nil || w.IsJP() {
			return out, nil
		}
		var all Answers
		all.Declare(c.Questions)
		owner := all.owner(q.ID)
		q.Exclusive = owner != nil && owner.exclusive
		// MCP cannot ask for a secret, but the server may accept it with the call, unless the question is exclusive.
		// If the call already had an answer to the question, the server did not accept it.
		if (w == Unattended || ask != nil && q.Schema.Secret) && !q.Exclusive && answers[q.ID] == nil {
			out.Questions = []Question{*q}
		}
		return out, nil
	}
	if w == Unattended {
		return ask.repeat(ctx, c.Answers, once)
	}
	return ask.repeat(ctx, nil, once) // the session passes MCP elicitations to ask
}

// send makes one request of a call.
func (c Call) send(ctx context.Context, s *peer.Session, w Wire, meta map[string]any) (*Outcome, error) {
	if c.Kind == "resource" || c.Kind == "prompt" {
		return c.get(ctx, s, meta)
	}
	r, err := s.Call(ctx, peer.Call{Tool: c.Tool, Arguments: c.Arguments, Meta: meta, Silence: c.Silence, Detach: c.Detach})
	switch {
	case err != nil:
		return nil, err
	case r.Task != "":
		return &Outcome{Task: r.Task, Text: r.Task, Raw: r.Raw}, nil
	case w == JP:
		return readOutcome(r, jphost.Today), nil
	case w == JPUntagged:
		return readOutcome(r, jphost.Untagged), nil
	case w == Blocks:
		return readBlocks(r), nil
	}
	return Plain(r), nil
}

// repeat repeats a call until the tool asks no more questions.
func (ask Ask) repeat(ctx context.Context, given map[string]json.RawMessage, once func(map[string]json.RawMessage) (*Outcome, error)) (*Outcome, error) {
	var out *Outcome
	err := peer.Ask(given, func(answers map[string]json.RawMessage) (map[string]json.RawMessage, error) {
		var err error
		if out, err = once(answers); err != nil {
			return nil, err
		}
		more := map[string]json.RawMessage{}
		for _, q := range out.Questions {
			answer, err := ask(ctx, q)
			if err != nil || answer == nil {
				return nil, err
			}
			more[q.ID] = json.RawMessage(answer)
		}
		return more, nil
	})
	return out, err
}

// options returns the options that the user of a JP host would configure.
func (c Call) options() jphost.Options {
	return jphost.Options{
		Root: cmp.Or(c.Root, c.Dir), NoGrease: true,
		ToolOptions: map[string]json.RawMessage{c.Tool: json.RawMessage(c.Options)},
	}
}

// meta returns the _meta of the call. A client that is not a JP host sends only what is set.
func (c Call) meta(w Wire, answers map[string]json.RawMessage) (map[string]any, error) {
	members, err := c.options().Meta(c.Tool, json.RawMessage(c.Arguments), answers)
	set := map[string]bool{wire.MetaTool: len(answers) > 0 || c.Options != nil, wire.MetaContext: c.Root != ""}
	meta := map[string]any{}
	for name, value := range members {
		if set[name] || w == JP || w == JPUntagged || w == Blocks {
			meta[name] = jsontext.Value(value)
		}
	}
	return meta, err
}

// Status returns the exit status for an outcome: 0 for success, 1 for failure, and 7 for an unanswered question.
func (o *Outcome) Status() int {
	switch {
	case !o.IsError:
		return 0
	case o.Code == string(fault.InputUnavailable):
		return 7
	}
	return 1
}
