package client_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/jptool/jptool/internal/fixture"
	"github.com/jptool/jptool/internal/fixture/fixtureclient"
	"github.com/jptool/jptool/internal/fixture/kinds"
	"github.com/jptool/jptool/internal/fixture/studio"
	"github.com/jptool/jptool/sdk"
	"github.com/jptool/jptool/sdk/client"
	"github.com/jptool/jptool/sdk/fault"
)

const serve = "JPTOOL_CLIENT_TEST_SERVE"

// The test binary also acts as the server.
func TestMain(m *testing.M) {
	switch os.Getenv(serve) {
	case "":
	case "studio":
		sdk.Main(studio.NewServer(new(studio.Studio)))
		return
	case "kinds":
		sdk.Main(kinds.NewServer(&kinds.Kinds{}))
		return
	default:
		sdk.Main(fixture.NewServer(&fixture.Fixture{}))
		return
	}
	os.Exit(m.Run())
}

func connect(t *testing.T, e fixtureclient.Elicitor) *fixtureclient.Client {
	t.Helper()
	t.Setenv(serve, "1")
	alive := context.WithoutCancel(t.Context()) // t.Context() is canceled before the session is closed
	c, err := fixtureclient.Connect(alive, client.Command(alive, os.Args[0], "--log-level", "error"), e)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Errorf("closing: %v", err)
		}
	})
	return c
}

// guest answers every question and records it.
type guest struct {
	fixtureclient.Elicitor // for questions that the tests do not ask
	asked                  []string
	pay                    error
}

func (g *guest) OrderWhichFlavor(_ context.Context, q client.Question) (fixtureclient.OrderWhichFlavorAnswer, error) {
	g.asked = append(g.asked, q.ID)
	return fixtureclient.OrderWhichFlavorAnswerLemon, nil
}

func (g *guest) OrderScoops(_ context.Context, q client.Question) (float64, error) {
	g.asked = append(g.asked, q.ID)
	return 3, nil
}

func (g *guest) OrderPay(_ context.Context, q client.Question) (bool, error) {
	g.asked = append(g.asked, q.ID)
	return true, g.pay
}

func (g *guest) StageStage(_ context.Context, q client.Question) (bool, error) {
	g.asked = append(g.asked, q.Subject)
	return q.Subject != "b", nil
}

func (g *guest) RegisterBadge(context.Context, client.Question) (fixtureclient.RegisterBadgeAnswer, error) {
	return fixtureclient.RegisterBadgeAnswer{Name: "Nix", Flavor: fixtureclient.RegisterBadgeAnswerFlavorVanilla, Guests: 2, Dinner: true}, nil
}

func TestQuestionsReachTheirMethods(t *testing.T) {
	g := new(guest)
	c := connect(t, g)
	text, err := c.Order(t.Context())
	if err != nil || text != "3 scoops of lemon" {
		t.Errorf("got %q, %v", text, err)
	}
	if got := strings.Join(g.asked, " "); got != "which-flavor scoops pay" {
		t.Errorf("asked %s", got)
	}
	g.asked = nil
	text, err = c.Stage(t.Context(), fixtureclient.StageInput{Hunks: []string{"a", "b"}})
	if err != nil || text != "staged a" || strings.Join(g.asked, " ") != "a b" {
		t.Errorf("got %q, %v, asked about %v", text, err, g.asked)
	}
	if text, err := c.Register(t.Context()); err != nil || !strings.Contains(text, "Nix") {
		t.Errorf("the form gave %q, %v", text, err)
	}
}

func TestDeclinedAndCanceledQuestions(t *testing.T) {
	for _, how := range []error{client.ErrDeclined, client.ErrCanceled} {
		_, err := connect(t, &guest{pay: how}).Order(t.Context())
		if !errors.Is(err, &client.Error{Code: fault.InputDeclined}) {
			t.Errorf("%v: got %v", how, err)
		}
	}
}

func TestClientThatCannotAsk(t *testing.T) {
	_, err := connect(t, nil).Order(t.Context())
	if !errors.Is(err, &client.Error{Code: fault.InputUnavailable}) {
		t.Errorf("got %v", err)
	}
}

func TestResultsAndErrorsHaveTypes(t *testing.T) {
	c := connect(t, nil)
	times := int64(2)
	if text, err := c.Echo(t.Context(), fixtureclient.EchoInput{Text: "ab", Times: &times}); err != nil || text != "abab" {
		t.Errorf("got %q, %v", text, err)
	}
	if got, err := c.Names(t.Context(), fixtureclient.NamesInput{}); err != nil || got.Result == nil {
		t.Errorf("got %v, %v", got, err)
	}
	_, err := c.Fail(t.Context(), fixtureclient.FailInput{How: fixtureclient.FailInputHowCoded})
	var e *client.Error
	if !errors.As(err, &e) || e.Code != fixtureclient.Overheated || e.Tool != "fail" || strings.Contains(e.Message, "overheated:") {
		t.Errorf("got %#v", err)
	}
	times = 1000
	_, err = c.Echo(t.Context(), fixtureclient.EchoInput{Times: &times})
	if !errors.As(err, &e) || e.Code != fault.InvalidInput || !e.Recoverable {
		t.Errorf("got %#v", err)
	}
	if err := c.Call(t.Context(), "names", nil, new(chan int)); err == nil || !strings.Contains(err.Error(), "cannot decode the result") {
		t.Errorf("a result went into a channel: %v", err)
	}
	if err := c.Call(t.Context(), "echo", fixtureclient.EchoInput{Text: "x"}, new(struct{})); err == nil || !strings.Contains(err.Error(), "no structured content") {
		t.Errorf("got %v", err)
	}
}

func TestEnvelopesAreOpened(t *testing.T) {
	t.Setenv(serve, "studio")
	alive := context.WithoutCancel(t.Context())
	c, err := client.Connect(alive, client.Command(alive, os.Args[0], "--log-level", "error"), client.Options{Envelope: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := c.Close(); err != nil {
			t.Errorf("closing: %v", err)
		}
	}()
	var out struct {
		StateAfter map[string]any `json:"state_after"`
	}
	if err := c.Call(alive, "apply_primitive", map[string]any{"image_id": "lake", "primitive": "sharpen"}, &out); err != nil || len(out.StateAfter) == 0 {
		t.Errorf("got %+v, %v", out, err)
	}
	var e *client.Error
	if err := c.Call(alive, "apply_primitive", map[string]any{"image_id": "sea", "primitive": "sharpen"}, &out); !errors.As(err, &e) || e.Code != fault.NotFound {
		t.Errorf("got %v", err)
	}
}

func TestConnectSaysWhatFailed(t *testing.T) {
	_, err := client.Connect(t.Context(), client.Command(t.Context(), "/nowhere/at/all"), client.Options{})
	if err == nil || !strings.HasPrefix(err.Error(), "connecting to the server: ") {
		t.Errorf("got %v", err)
	}
}

func TestDispatchKnowsItsQuestions(t *testing.T) {
	says := func(text string) client.Answerer {
		return func(_ context.Context, q client.Question) (any, error) { return text + "/" + q.Subject, nil }
	}
	answer := client.Dispatch(
		client.Declared{Tool: "a", ID: "stage", Answer: says("short")},
		client.Declared{Tool: "a", ID: "stage-all", Answer: says("long")},
		client.Declared{Tool: "b", ID: "stage", Answer: says("other")},
	)
	for id, want := range map[string]string{"stage": "short/", "stage-x": "short/x", "stage-all": "long/", "stage-all-x": "long/x"} {
		if got, err := answer(t.Context(), client.Question{Tool: "a", ID: id}); err != nil || got != want {
			t.Errorf("%s: got %v, %v", id, got, err)
		}
	}
	for _, q := range []client.Question{{}, {Tool: "c", ID: "stage"}, {Tool: "a", ID: "stages"}} {
		if _, err := answer(t.Context(), q); err == nil {
			t.Errorf("%+v was answered", q)
		}
	}
}

func ExampleConnect() {
	c, err := client.Connect(context.Background(), client.Command(context.Background(), "notes"), client.Options{
		Answer: func(_ context.Context, q client.Question) (any, error) {
			fmt.Println(q.Message)
			return true, nil
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer c.Close()
	var text string
	err = c.Call(context.Background(), "note_get", map[string]any{"id": "A1"}, &text)
	fmt.Println(text, err)
}

// The questions of a Together arrive at the same time. The client asks them one at a time.
func TestQuestionsOneAtATime(t *testing.T) {
	t.Setenv(serve, "kinds")
	answers, open := map[string]any{"host": "Cleo", "hour": 7, "sure-a": true, "sure-b": false}, atomic.Int64{}
	alive := context.WithoutCancel(t.Context())
	c, err := client.Connect(alive, client.Command(alive, os.Args[0], "--log-level", "error"), client.Options{
		Answer: func(_ context.Context, q client.Question) (any, error) {
			if open.Add(1) > 1 {
				t.Errorf("question %q is asked while another one is", q.ID)
			}
			defer open.Add(-1)
			runtime.Gosched()
			return answers[q.ID], nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	var text string
	if err := c.Call(t.Context(), "invite", kinds.InviteInput{Guests: []string{"a", "b"}}, &text); err != nil || !strings.HasSuffix(text, "Cleo at 7, guests [true false]") {
		t.Errorf("%q, %v", text, err)
	}
}
