// Package caller is the host of one call: it calls a tool over a wire, and has its questions answered.
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
	"github.com/jptool/jptool/sdk/jp/host"
	"github.com/jptool/jptool/sdk/jp/wire"
)

// A Wire is how a call, its questions and its outcome travel.
type Wire string

// The wires of a call.
const (
	Auto   Wire = ""       // MCP as the server knows it, with questions
	Rounds Wire = "mrtr"   // MCP's multi round-trip requests
	Elicit Wire = "elicit" // MCP's elicitation, in a session
	Nobody Wire = "none"   // MCP with nobody to ask
	JP     Wire = "jp"     // JP's Outcome (RFD D31)
	Blocks Wire = "blocks" // JP's content blocks (RFD 058)
	Local  Wire = "local"  // a command that JP runs for every round
)

// Wires returns the names of all wires but [Auto].
func Wires() []string {
	return []string{string(JP), string(Rounds), string(Elicit), string(Nobody), string(Blocks), string(Local)}
}

// ParseWire returns the wire of that name.
func ParseWire(name string) (Wire, error) {
	if name != "" && !slices.Contains(Wires(), name) {
		return "", fmt.Errorf("there is no wire %s; there are %s", name, strings.Join(Wires(), ", "))
	}
	return Wire(name), nil
}

// Flags returns the arguments that make a program made by jptool speak the wire.
func (w Wire) Flags() []string {
	switch w {
	case JP:
		return []string{"--jp"}
	case Blocks:
		return []string{"--jp=blocks"}
	}
	return nil
}

// version returns the version of MCP below the wire.
func (w Wire) version() string {
	switch w {
	case Rounds:
		return peer.Rounds
	case Elicit, JP, Blocks:
		return peer.Sessions
	}
	return ""
}

// Options returns how to be the client that the wire needs; ask answers the questions that MCP puts.
func (w Wire) Options(o peer.Options, ask Ask) peer.Options {
	o.Version = w.version()
	if w == Auto || w == Rounds || w == Elicit {
		o.Elicit = ask.elicit
	}
	return o
}

// A Question is one of a tool, on whatever wire it came.
type Question struct {
	// ID names it; "" where the wire has no names.
	ID string
	// Preamble goes before the text, for a person.
	Preamble string
	Text     string
	// Schema says what an answer is; a form's has properties.
	Schema shape.Schema
	Form   bool
}

// ErrCanceled is returned when the person does not answer. The call then ends without a result.
var ErrCanceled = errors.New("the question was not answered")

// Ask answers a question with a value, or declines by [ErrCanceled].
type Ask func(context.Context, Question) (jsontext.Value, error)

// A Call is what is called.
type Call struct {
	Tool      string
	Arguments jsontext.Value
	// Options is the object that a JP user would have configured, or nil.
	Options jsontext.Value
	// Answers are sent along from the start, to servers that nobody can be asked by.
	Answers map[string]json.RawMessage
	// Root is the directory that the call is about; "" is not told.
	Root string
	// Dir is the root that a JP host sends with answers or options if Root is "".
	Dir string
	// Silence is how long the tool may run without a report of progress.
	Silence time.Duration
}

// An Outcome is how a call ended.
type Outcome struct {
	IsError bool
	// Code is that of the fault; "" where the wire tells none.
	Code string
	// Text is what a model would read.
	Text string
	// Question is what the tool asks instead of a result.
	Question *Question
	// Unasked is the question that nobody could be asked, if the fault names one.
	Unasked *Question
	// Warning says how the result contradicts itself; "" if it does not.
	Warning string
	// Structured is the result as a value, or nil.
	Structured jsontext.Value
	// Raw is what came over the wire, as JSON.
	Raw jsontext.Value
}

// On calls a tool over a session that was opened with the [Wire.Options] of w. If ask returns nil, the question stays
// open and the call ends.
func (c Call) On(ctx context.Context, s *peer.Session, w Wire, ask Ask) (*Outcome, error) {
	once := func(answers map[string]json.RawMessage) (*Outcome, error) {
		meta, err := c.meta(w, answers)
		if err != nil {
			return nil, err
		}
		r, err := s.Call(ctx, peer.Call{Tool: c.Tool, Arguments: c.Arguments, Meta: meta, Silence: c.Silence})
		switch {
		case err != nil:
			return nil, err
		case w == JP:
			return readOutcome(r), nil
		case w == Blocks:
			return readBlocks(r), nil
		}
		out := native(r)
		if w == Nobody && out.Unasked != nil && answers[out.Unasked.ID] == nil { // else the answer did not help
			out.Question = out.Unasked
		}
		return out, nil
	}
	if w == Nobody {
		return ask.until(ctx, c.Answers, once)
	}
	return ask.until(ctx, nil, once) // where MCP asks, the session has answered
}

// until calls a tool until it asks nothing more.
func (ask Ask) until(ctx context.Context, given map[string]json.RawMessage, once func(map[string]json.RawMessage) (*Outcome, error)) (*Outcome, error) {
	var out *Outcome
	err := peer.Ask(given, func(answers map[string]json.RawMessage) (string, json.RawMessage, error) {
		var err error
		if out, err = once(answers); err != nil || out.Question == nil {
			return "", nil, err
		}
		answer, err := ask(ctx, *out.Question)
		return out.Question.ID, json.RawMessage(answer), err
	})
	return out, err
}

// options returns the call as the user of a JP host would configure it.
func (c Call) options() host.Options {
	return host.Options{
		Root: cmp.Or(c.Root, c.Dir), AlwaysMeta: c.Root != "", NoGrease: true,
		ToolOptions: map[string]json.RawMessage{c.Tool: json.RawMessage(c.Options)},
	}
}

// meta returns the _meta of the call. A client that is not a JP host sends the root only if one was given.
func (c Call) meta(w Wire, answers map[string]json.RawMessage) (map[string]any, error) {
	members, err := c.options().Meta(c.Tool, json.RawMessage(c.Arguments), answers)
	meta := map[string]any{}
	for name, value := range members {
		if name != wire.MetaContext || c.Root != "" || w == JP || w == Blocks {
			meta[name] = jsontext.Value(value)
		}
	}
	return meta, err
}
