package jptest

import (
	"strings"
	"testing"

	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/jp/host"
	"github.com/jptool/jptool/sdk/jp/wire"
)

// An Outcome is how a call ended.
type Outcome struct {
	// Tool is the name of the tool.
	Tool string
	// Text is the result, "" for a call that failed.
	Text string
	// Code is that of the fault, "" for a call that went well; Message is its text
	// and Transient its promise.
	Code      fault.Code
	Message   string
	Transient bool
	// Trace holds the causes of the fault, outermost first.
	Trace []string
	// Asked are the questions, in the order they were put.
	Asked []wire.Question
	// Runs counts how often the handler ran.
	Runs int
	// Dismissed says that a question was canceled, which ends the call in the host.
	Dismissed bool
}

func outcome(tool string, r host.Reply) Outcome {
	out := Outcome{Tool: tool, Asked: r.Questions, Runs: r.Rounds}
	switch {
	case r.Outcome == nil:
		out.Code, out.Message = fault.Internal, "the reply is no outcome: "+r.Text
	case r.Outcome.Type == wire.TypeSuccess:
		out.Text = r.Text
	case r.Outcome.Type == wire.TypeNeedsInput:
		out.Dismissed = true
	default:
		out.Transient, out.Trace = r.Outcome.Transient, r.Outcome.Trace
		code, message, ok := strings.Cut(r.Outcome.Message, ": ")
		if !ok || !fault.Code(code).Valid() {
			code, message = string(fault.Internal), r.Outcome.Message
		}
		out.Code, out.Message = fault.Code(code), message
	}
	return out
}

// Questions returns the ids of what was asked, in order.
func (o Outcome) Questions() []string {
	ids := make([]string, len(o.Asked))
	for i, q := range o.Asked {
		ids[i] = q.ID
	}
	return ids
}

// OK fails the test unless the call went well, and returns its text.
func (o Outcome) OK(t testing.TB) string {
	t.Helper()
	if o.Code != "" || o.Dismissed {
		t.Fatalf("%s failed: %s: %s (dismissed: %t)", o.Tool, o.Code, o.Message, o.Dismissed)
	}
	return o.Text
}

// Failed fails the test unless the call ended in a fault of that code, and
// returns its message.
func (o Outcome) Failed(t testing.TB, code fault.Code) string {
	t.Helper()
	if o.Code != code {
		t.Fatalf("%s ended with code %q and text %q, want code %q: %s", o.Tool, o.Code, o.Text, code, o.Message)
	}
	return o.Message
}
