// Package jptest tests a tool without a host.
//
// A [Kit] serves a server in memory and plays the host: a test scripts the
// answers, calls a tool and looks at the [Outcome]. Each round that ends in a question is
// run twice, and the test fails where a round does not first repeat the questions that
// were answered before, in order, with their ids and texts. At its end it is told which
// of the declared questions and error codes no call has shown. A kit also compares the
// generated code with its source: code that is out of date fails the test.
//
//	kit := jptest.New(t, notes.NewServer(&notes.Notes{}))
//	out := kit.Call("note_delete", map[string]any{"id": "A1"}, jptest.Answer("confirm", false))
//	out.Failed(t, fault.InputDeclined)
package jptest

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"strings"
	"testing"

	"github.com/jptool/jptool/sdk"
	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/sdk/gen/question"
	"github.com/jptool/jptool/sdk/jp/host"
	"github.com/jptool/jptool/sdk/jp/wire"
	"github.com/jptool/jptool/sdk/tool"
)

// A Kit is a server under test and the host that calls it. It is safe for use by
// several goroutines.
type Kit struct {
	t        testing.TB
	host     *host.Host
	contract *manifest.Server
	coverage *coverage
}

// Options is what the host of a [Kit] was configured with.
type Options struct {
	// Root is the directory that calls come from.
	Root string
	// ToolOptions are the options of a tool by its name, encoded as JSON.
	ToolOptions map[string]any
	// Answers are configured answers, by tool and the id of the question. They are
	// there from the first run on, so that the question is not asked.
	Answers map[string]map[string]any
}

// New returns a kit that serves s until the test ends. What s cannot serve fails
// the test, and so does generated code that is older than its source.
func New(t testing.TB, s *sdk.Server) *Kit {
	t.Helper()
	return NewWith(t, s, Options{})
}

// NewWith is [New] with a configured host.
func NewWith(t testing.TB, s *sdk.Server, o Options) *Kit {
	t.Helper()
	checkGenerated(t, s)
	ctx, cancel := context.WithCancel(tool.Rehearse(context.Background(), func(problem string) { t.Errorf("%s", problem) }))
	ours, theirs := net.Pipe()
	served := make(chan error, 1)
	go func() { served <- s.Serve(ctx, theirs, sdk.Options{JP: wire.VersionOutcome}) }()
	h, err := host.Connect(ctx, ours, host.Options{
		Root: o.Root, AlwaysMeta: o.Root != "",
		ToolOptions: encodeAll(t, o.ToolOptions), Answers: encodeAnswers(t, o.Answers),
	})
	if err != nil {
		cancel()
		t.Fatalf("connecting to the server: %v (serving ended with %v)", err, <-served)
	}
	k := &Kit{t: t, host: h, contract: s.Contract(), coverage: newCoverage()}
	t.Cleanup(func() {
		h.Close()
		cancel()
		if err := <-served; err != nil {
			t.Errorf("serving ended with %v", err)
		}
		if unseen := k.Unseen(); len(unseen) > 0 {
			t.Logf("declared and not seen in this test: %s", strings.Join(unseen, ", "))
		}
	})
	return k
}

// Call calls a tool with args, encoded as JSON, and answers its questions by the
// script. A question without a reply, a reply that no question asked for, and an
// outcome that is not JP's, fail the test.
func (k *Kit) Call(tool string, args any, script ...Reply) Outcome {
	k.t.Helper()
	data, err := json.Marshal(args)
	if err != nil {
		k.t.Fatalf("%s: encoding the arguments: %v", tool, err)
	}
	replies := newReplies(script)
	reply, err := k.host.Call(context.Background(), tool, data, func(_ context.Context, q wire.Question) (json.RawMessage, error) {
		r, ok := replies.to(q.ID)
		switch {
		case !ok:
			return nil, fmt.Errorf("the script has no reply to question %q (%s): %s", q.ID, accepts(q), q.Text)
		case r.cancel:
			return nil, host.ErrCancelled
		case k.isForm(tool, r.id):
			return r.field(q.ID), r.err
		}
		return r.content, r.err
	})
	if err != nil {
		k.t.Fatalf("%s: %v", tool, err)
	}
	for _, id := range replies.unused() {
		k.t.Errorf("%s: question %q was not asked", tool, id)
	}
	out := outcome(tool, reply)
	k.coverage.add(tool, out)
	return out
}

func accepts(q wire.Question) string {
	if q.AnswerType.Kind == wire.Select {
		return fmt.Sprintf("one of %q", q.AnswerType.Options)
	}
	return "a " + string(q.AnswerType.Kind)
}

// isForm reports whether the contract says that a question is a form, whose fields
// JP asks for one by one.
func (k *Kit) isForm(tool, id string) bool {
	for _, t := range k.contract.Tools {
		for _, q := range t.Questions {
			if t.Name == tool && q.ID == id {
				return q.Kind == question.KindForm.String()
			}
		}
	}
	return false
}

// Unseen returns what the contract declares and no call has shown yet, sorted:
// "note_delete asks confirm", "note_get fails with not_found".
func (k *Kit) Unseen() []string { return k.coverage.unseen(k.contract) }

func encodeAll(t testing.TB, values map[string]any) map[string]json.RawMessage {
	t.Helper()
	out := make(map[string]json.RawMessage, len(values))
	for name, v := range values {
		data, err := json.Marshal(v)
		if err != nil {
			t.Fatalf("encoding %q: %v", name, err)
		}
		out[name] = data
	}
	return out
}

func encodeAnswers(t testing.TB, answers map[string]map[string]any) map[string]map[string]json.RawMessage {
	t.Helper()
	out := make(map[string]map[string]json.RawMessage, len(answers))
	for tool, byID := range answers {
		out[tool] = encodeAll(t, byID)
	}
	return out
}
