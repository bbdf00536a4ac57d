package sdk_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/jptool/jptool/internal/fixture"
	"github.com/jptool/jptool/sdk/elicit"
	"github.com/jptool/jptool/sdk/fault"
)

// A caller answers a scenario with the methods of the generated interfaces.
type caller struct {
	t     *testing.T
	s     scenario
	asked *int
}

// The compiler checks that caller answers every question of these tools.
var (
	_ fixture.OrderElicitor    = caller{}
	_ fixture.StageElicitor    = caller{}
	_ fixture.DraftElicitor    = draftCaller{}
	_ fixture.RegisterElicitor = caller{}
)

// answer returns the script's answer to the next question. Go code cannot give an answer of a different type,
// so such an answer becomes the zero value.
func answer[T any](c caller, r elicit.Request) (elicit.Response[T], error) {
	c.t.Helper()
	if c.s.every != nil {
		*c.asked++
		var content T
		_ = json.Unmarshal([]byte(c.s.every.answer), &content)
		return elicit.Response[T]{Action: map[string]elicit.Action{"decline": elicit.Decline, "cancel": elicit.Cancel}[c.s.every.action], Content: content}, nil
	}
	id := strings.TrimSuffix(r.Ref.Key+"-"+r.Ref.Subject, "-")
	if *c.asked < len(c.s.steps) && c.s.steps[*c.asked].try > 0 {
		id = "" // the reference has the id with which the question was first asked
	}
	c.s.next(c.t, *c.asked, id, r.Message)
	step := c.s.steps[*c.asked]
	*c.asked++
	if want := (elicit.Ref{Tool: c.s.tool, Key: r.Ref.Key, Subject: r.Ref.Subject, Call: r.Ref.Call, Seq: *c.asked}); r.Ref != want || r.Ref.Call == "" {
		c.t.Errorf("question %+v, want %+v", r.Ref, want)
	}
	switch step.action {
	case "decline":
		return elicit.Declined[T](), nil
	case "cancel":
		return elicit.Canceled[T](), nil
	}
	var content T
	_ = json.Unmarshal([]byte(step.answer), &content)
	return elicit.Accepted(content), nil
}

func (c caller) Flavor(_ context.Context, r elicit.Request) (elicit.Response[fixture.Flavor], error) {
	return answer[fixture.Flavor](c, r)
}

func (c caller) Scoops(_ context.Context, r elicit.Request) (elicit.Response[float64], error) {
	return answer[float64](c, r)
}

func (c caller) Pay(_ context.Context, r elicit.Request) (elicit.Response[bool], error) {
	return answer[bool](c, r)
}

func (c caller) Stage(_ context.Context, r elicit.Request) (elicit.Response[bool], error) {
	return answer[bool](c, r)
}

func (c caller) Badge(_ context.Context, r elicit.Request) (elicit.Response[fixture.Badge], error) {
	return answer[fixture.Badge](c, r)
}

type draftCaller struct{ caller }

func (c draftCaller) Title(_ context.Context, r elicit.Request) (elicit.Response[string], error) {
	if in, ok := r.Arguments.(fixture.DraftInput); !ok || in.Topic != "tea" {
		c.t.Errorf("the arguments are %+v", r.Arguments)
	}
	return answer[string](c.caller, r)
}

func (c draftCaller) Publish(_ context.Context, r elicit.Request) (elicit.Response[bool], error) {
	return answer[bool](c.caller, r)
}

// runInProcess calls a tool without a server.
func runInProcess(t *testing.T, s scenario) ending {
	asked := 0
	c := caller{t: t, s: s, asked: &asked}
	var (
		f    fixture.Fixture
		text string
		err  error
	)
	switch s.tool {
	case "echo": // echo asks no questions, so its method is called directly
		var in fixture.EchoInput
		if err := json.Unmarshal([]byte(s.arguments), &in); err != nil {
			t.Fatal(err)
		}
		in.Times = 1
		text, err = f.Echo(t.Context(), in, fixture.EchoOptions{})
	case "order":
		text, err = fixture.CallOrder(t.Context(), &f, c)
	case "register":
		text, err = fixture.CallRegister(t.Context(), &f, c)
	case "stage":
		var in fixture.StageInput
		if err := json.Unmarshal([]byte(s.arguments), &in); err != nil {
			t.Fatal(err)
		}
		text, err = fixture.CallStage(t.Context(), &f, in, c)
	case "draft":
		text, err = fixture.CallDraft(t.Context(), &f, fixture.DraftInput{Topic: "tea"}, draftCaller{c})
	case "break":
		var in fixture.RuleInput
		if err := json.Unmarshal([]byte(s.arguments), &in); err != nil {
			t.Fatal(err)
		}
		text, err = fixture.CallBreak(t.Context(), &f, in, breakCaller{c})
	default:
		t.Fatalf("no generated call of %q is tested", s.tool)
	}
	return ending{text: text, code: string(fault.CodeOf(err)), asked: asked}
}
