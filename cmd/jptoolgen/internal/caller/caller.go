// Package caller is the host of one call: it calls a tool over a wire, and has its questions answered.
package caller

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/words"
	"github.com/jptool/jptool/internal/peer"
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
	Schema words.Schema
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
	Answers map[string]jsontext.Value
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

// On calls a tool over a session that was opened with the [Wire.Options] of w.
func (c Call) On(ctx context.Context, s *peer.Session, w Wire, ask Ask) (*Outcome, error) {
	once := func(answers map[string]jsontext.Value) (*Outcome, error) {
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
	switch w {
	case JP, Blocks:
		return untilDone(ctx, nil, ask, once)
	case Nobody:
		return untilDone(ctx, c.Answers, ask, once)
	}
	return once(nil)
}

// rounds bounds how often one call may ask.
const rounds = 100

// untilDone calls a tool again with all answers so far, until it asks nothing more. The call also ends if ask returns
// nil, which leaves the question open.
func untilDone(ctx context.Context, given map[string]jsontext.Value, ask Ask, once func(map[string]jsontext.Value) (*Outcome, error)) (*Outcome, error) {
	answers := map[string]jsontext.Value{}
	maps.Copy(answers, given)
	for range rounds {
		out, err := once(answers)
		if err != nil || out.Question == nil {
			return out, err
		}
		answer, err := ask(ctx, *out.Question)
		if err != nil {
			return nil, err
		}
		if answer == nil {
			return out, nil
		}
		answers[out.Question.ID] = answer
	}
	return nil, fmt.Errorf("%w: it asked %d times in one call", peer.ErrTooMuch, rounds)
}

// meta returns the _meta of the call. A JP host sends it only with answers, options or a root to send (JP RFD D31).
func (c Call) meta(w Wire, answers map[string]jsontext.Value) (map[string]any, error) {
	meta := map[string]any{}
	host := w == JP || w == Blocks
	says := c.Options != nil || len(answers) > 0 || host && c.Root != ""
	if says {
		tool, err := c.tool(answers)
		if err != nil {
			return nil, err
		}
		meta[wire.MetaTool] = tool
	}
	if c.Root != "" || host && says {
		meta[wire.MetaContext] = map[string]any{"action": "Run", "root": cmp.Or(c.Root, c.Dir)}
	}
	return meta, nil
}

// tool returns what JP sends of a call beside its arguments (JP RFD D31).
func (c Call) tool(answers map[string]jsontext.Value) (jsontext.Value, error) {
	data, err := wire.AppendTool(nil, wire.Tool{
		Name: c.Tool, Arguments: json.RawMessage(c.Arguments), Answers: messages(answers), Options: json.RawMessage(c.Options),
	})
	if err != nil {
		return nil, fmt.Errorf("writing the call: %w", err)
	}
	return data, nil
}

// messages returns answers as the runtime has them.
func messages(answers map[string]jsontext.Value) map[string]json.RawMessage {
	out := make(map[string]json.RawMessage, len(answers))
	for id, value := range answers {
		out[id] = json.RawMessage(value)
	}
	return out
}
