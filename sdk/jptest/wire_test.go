package jptest_test

import (
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/jptool/jptool/internal/conformance"
	"github.com/jptool/jptool/internal/fixture"
	"github.com/jptool/jptool/internal/fixture/studio"
	"github.com/jptool/jptool/sdk/content"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/question"
	"github.com/jptool/jptool/sdk/gosdk"
	"github.com/jptool/jptool/sdk/jptest"
)

func newKit(t testing.TB, w jptest.Wire) *jptest.Kit {
	return jptest.NewWith(t, fixture.NewServer(&fixture.Fixture{}), jptest.Options{Wire: w})
}

// A script has the same result on every wire.
func TestOneScriptOnEveryWire(t *testing.T) {
	for _, wire := range jptest.Wires() {
		t.Run(wire.String(), func(t *testing.T) {
			k := newKit(t, wire)
			out := k.Call("order", nil, jptest.Answer("which-flavor", "lemon"), jptest.Answer("scoops", 2), jptest.Answer("pay", true))
			if text := out.OK(t); text != "2 scoops of lemon" {
				t.Errorf("order: %q", text)
			}
			if q := out.Asked[0]; q.Text != "Which flavor?" || !slices.Equal(q.Options, []string{"vanilla", "lemon"}) {
				t.Errorf("asked %+v", q)
			}
			if q := out.Asked[2]; q.Text != "Pay for 2 scoops of lemon?" || q.Preamble != "It is hot today." || q.Options != nil {
				t.Errorf("asked %+v", q)
			}
			k.Call("order", nil, jptest.Answer("which-flavor", "mint")).Failed(t, fault.InvalidAnswer)
			k.Call("order", nil, jptest.Answer("which-flavor", "lemon"), jptest.Answer("scoops", 9)).Failed(t, fault.InvalidAnswer)
			again := k.Call("order", nil, jptest.Answer("which-flavor", "lemon"), jptest.Answer("scoops", 9), jptest.Answer("scoops", 2), jptest.Answer("pay", true))
			if again.OK(t) != "2 scoops of lemon" || again.Asked[2].ID != "scoops--2" || !strings.Contains(again.Asked[2].Text, `got "9"`) && !strings.Contains(again.Asked[2].Text, "got 9") {
				t.Errorf("a mistyped answer: %+v", again)
			}
			k.Call("stage", object{"hunks": []string{"a", "b c"}}, jptest.Answer("stage", true), jptest.Answer("stage-a", false)).OK(t)
			k.Call("register", nil, jptest.Answer("badge", fixture.Badge{Name: "Ada", Flavor: fixture.Lemon, Guests: 2, Dinner: true})).OK(t)
			k.Call("register", nil, jptest.Answer("badge", object{"name": "Ada"})).Failed(t, fault.InvalidAnswer)
			k.Call("register", nil, jptest.Answer("badge", "Ada")).Failed(t, fault.InvalidAnswer)
			k.Call("names", nil).OK(t)
			k.Call("echo", object{"times": "x"}).Failed(t, fault.InvalidInput)
			k.Call("ehco", nil).Failed(t, fault.NotFound)
			k.Call("fail", object{"how": "coded"}).Failed(t, fixture.Overheated)
			k.Call("fail", object{"how": "uncoded"}).Failed(t, fault.Internal)
			k.Call("fail", object{"how": "panic"}).Failed(t, fault.Internal)
			if message := k.Call("order", nil, jptest.Decline("which-flavor")).Failed(t, fault.InputDeclined); message != "" && !strings.Contains(message, "was declined") {
				t.Errorf("declined: %s", message)
			}
			if message := k.Call("order", nil, jptest.Cancel("which-flavor")).Failed(t, fault.InputDeclined); message != "" && !strings.Contains(message, "was canceled") {
				t.Errorf("canceled: %s", message)
			}
		})
	}
}

// The host's configuration applies on every wire.
func TestConfiguredHostOnEveryWire(t *testing.T) {
	for _, wire := range jptest.Wires() {
		t.Run(wire.String(), func(t *testing.T) {
			root := t.TempDir()
			k := jptest.NewWith(t, fixture.NewServer(&fixture.Fixture{}), jptest.Options{
				Wire: wire, Root: root,
				ToolOptions: object{"echo": fixture.EchoOptions{Prefix: "> "}},
				Answers: map[string]map[string]any{
					"order": {"which-flavor": "vanilla", "pay": true},
					"stage": {"stage-a": true, question.SubjectID("stage", "b c"): true, "stage-d": false},
				},
			})
			if text := k.Call("echo", object{"text": "a"}).OK(t); text != "> a" {
				t.Errorf("echo: %q", text)
			}
			if out := k.Call("order", nil, jptest.Answer("scoops", 3)); out.OK(t) != "3 scoops of vanilla" || len(out.Asked) != 1 {
				t.Errorf("order: %+v", out)
			}
			if out := k.Call("stage", object{"hunks": []string{"a", "b c", "d"}}); out.OK(t) != "staged a,b c" || len(out.Asked) != 0 {
				t.Errorf("stage: %+v", out)
			}
			if text := k.Call("place", nil).OK(t); !strings.Contains(text, strconv.Quote(root)) {
				t.Errorf("place: %s", text)
			}
		})
	}
}

// JP looks up a configured answer only under the id of the question, so an answer for all subjects counts only where
// it is sent with the first run.
func TestConfiguredForAllSubjects(t *testing.T) {
	for _, wire := range jptest.Wires() {
		failures, _ := run(func(t testing.TB) {
			k := jptest.NewWith(t, fixture.NewServer(&fixture.Fixture{}), jptest.Options{Wire: wire, Answers: map[string]map[string]any{"stage": {"stage": true}}})
			if out := k.Call("stage", object{"hunks": []string{"a"}}); out.Text != "staged a" {
				t.Errorf("staged %q", out.Text)
			}
		})
		want := ""
		switch wire.String() {
		case jptest.JPOutcome.String(), jptest.JPBlocks.String(), jptest.JPLocal.String(), jptest.JPPlugin.String():
			want = `the test has no reply to question "stage-a"`
		}
		if want == "" && failures != "" || !strings.Contains(failures, want) {
			t.Errorf("%s: the test failed with %q, want %q", wire, failures, want)
		}
	}
}

// Results contain everything that their wires support.
func TestResultsOnEveryWire(t *testing.T) {
	for _, wire := range jptest.Wires() {
		t.Run(wire.String(), func(t *testing.T) {
			isJP := strings.HasPrefix(wire.String(), "JP")
			k := newKit(t, wire)
			if out := k.Call("names", nil); (string(out.Structured) == `{"result":["Ada","Bo"]}`) == isJP {
				t.Errorf("structured content %s", out.Structured)
			}
			out := k.Call("slow", object{"steps": 2})
			if told := slices.Contains(out.Progress, jptest.Progress{Done: 1, Total: 2, Message: "step 1"}); told == isJP {
				t.Errorf("progress %+v", out.Progress)
			}
			o := jptest.Options{Wire: wire}
			out = jptest.NewWith(t, conformance.NewServer(new(conformance.Conformance)), o).Call("test_logging_tool", nil)
			if reflect.DeepEqual(out.Logs, []jptest.Log{{Level: "info", Message: "the logging tool ran", Attrs: object{}}}) == isJP {
				t.Errorf("logs %+v", out.Logs)
			}
			out = jptest.NewWith(t, studio.NewServer(new(studio.Studio)), o).Call("render", object{"image_id": "lake"})
			image := func(b content.Block) bool { i, ok := b.(content.Image); return ok && len(i.Data) > 0 }
			if slices.ContainsFunc(out.Blocks, image) == isJP || !strings.Contains(out.OK(t), "image/png") {
				t.Errorf("blocks %+v, text %q", out.Blocks, out.Text)
			}
		})
	}
}

// A former name, its note and an envelope are the same on every wire.
func TestFormerNameOnEveryWire(t *testing.T) {
	for _, wire := range jptest.Wires() {
		t.Run(wire.String(), func(t *testing.T) {
			k := jptest.NewWith(t, studio.NewServer(new(studio.Studio)), jptest.Options{Wire: wire})
			out := k.Call("undo", object{"image_id": "lake"}, jptest.Answer("confirm", true))
			if text := out.OK(t); !strings.Contains(text, "Note: ") {
				t.Errorf("text %q", text)
			}
			if strings.Contains(string(out.Structured), "success") {
				t.Errorf("structured content %s", out.Structured)
			}
			if unseen := k.Unseen(); slices.Contains(unseen, "reset asks confirm") {
				t.Errorf("not seen: %q", unseen)
			}
		})
	}
}

// The failure message names the differing wires and the difference.
func TestWiresThatDisagree(t *testing.T) {
	yes := jptest.Answer("stage", true)
	shared := &fixture.Fixture{}
	for _, tc := range []struct {
		name string
		call func(k *jptest.Kit, n int) // n is the index of the wire
		mask string
		want string
	}{
		{"the questions", func(k *jptest.Kit, n int) { k.Call("stage", object{"hunks": []string{"a", "b"}[:n+1]}, yes) }, "",
			`stage: the results differ between wires: on the wire "MCP over HTTP" the call asked ["stage-a" "stage-b"], and on "in process" it asked ["stage-a"]`},
		{"the code", func(k *jptest.Kit, n int) { k.Call("fail", object{"how": []string{"coded", "uncoded"}[n]}) }, "",
			`ended with code "internal", transient: false, and on "in process" it ended with code "overheated", transient: true`},
		{"the text", func(k *jptest.Kit, n int) {
			k.Call("draft", object{"topic": "tea"}, jptest.Answer("title", "Green"), jptest.Answer("publish", true))
		}, "", `said "published Green as draft 2", and on "in process" it said "published Green as draft 1"`},
		{"what is masked", func(k *jptest.Kit, n int) {
			k.Call("draft", object{"topic": "tea"}, jptest.Answer("title", "Green"), jptest.Answer("publish", true))
		}, `\d+`, ""},
		{"incidents", func(k *jptest.Kit, n int) { k.Call("fail", object{"how": "panic"}) }, "", ""},
		{"the second call", func(k *jptest.Kit, n int) {
			k.Call("echo", object{"text": "a"})
			k.Call("echo", object{"text": []string{"a", "b"}[n]})
		}, "", `said "b", and on "in process" it said "a"`},
		{"after a refusal", func(k *jptest.Kit, n int) { k.Call("order", nil, jptest.Decline("which-flavor")) }, "", ""},
	} {
		failures, _ := run(func(t testing.TB) {
			for n, wire := range jptest.Wires(jptest.InProcess, jptest.MCPHTTP) {
				o := jptest.Options{Wire: wire}
				if tc.mask != "" {
					o.Mask = regexp.MustCompile(tc.mask)
				}
				tc.call(jptest.NewWith(t, fixture.NewServer(shared), o), n)
			}
		})
		if tc.want == "" && failures != "" || !strings.Contains(failures, tc.want) {
			t.Errorf("%s: the test failed with %q, want %q", tc.name, failures, tc.want)
		}
	}
}

// A call that fails a test on one wire fails it on all wires.
func TestWhatFailsATestOnEveryWire(t *testing.T) {
	for _, wire := range jptest.Wires() {
		for want, call := range map[string]func(k *jptest.Kit){
			`the test has no reply to question "scoops" (kind number): How many scoops of lemon?`: func(k *jptest.Kit) {
				k.Call("order", nil, jptest.Answer("which-flavor", "lemon"))
			},
			`order: question "pay" was not asked`: func(k *jptest.Kit) {
				k.Call("order", nil, jptest.Answer("which-flavor", "mint"), jptest.Answer("pay", true))
			},
		} {
			if failures, _ := run(func(t testing.TB) { call(newKit(t, wire)) }); !strings.Contains(failures, want) {
				t.Errorf("%s: the test failed with %q, want %q", wire, failures, want)
			}
		}
	}
}

// A handler that asks different questions in another run is detected on wires that run it again.
func TestUnstableHandlersOnEveryWire(t *testing.T) {
	for _, wire := range jptest.Wires(jptest.MCP, jptest.MCPHTTP, jptest.JPOutcome, jptest.JPOutcomeUntagged, jptest.JPBlocks, jptest.JPLocal, jptest.JPPlugin) {
		for _, extended := range []bool{false, true} {
			s := fixture.NewServer(&fixture.Fixture{})
			if extended { // calls run through go-sdk's server
				gosdk.Server(s)
			}
			failures, _ := run(func(t testing.TB) {
				jptest.NewWith(t, s, jptest.Options{Wire: wire}).Call("break", object{"break": "unstable"}, jptest.Answer("first", true))
			})
			if !strings.Contains(failures, `break asks a different question when it runs again: question 1 was "first": Save at `) {
				t.Errorf("%s, extended %t: the test failed with %q", wire, extended, failures)
			}
		}
	}
}

// A client that cannot ask is not asked, and Wires includes it only on request.
func TestUnattended(t *testing.T) {
	k := newKit(t, jptest.Unattended)
	if out := k.Call("break", object{"break": "acknowledged"}); out.OK(t) != "continued without it" || len(out.Asked) > 0 {
		t.Errorf("without an answer: %+v", out)
	}
	k.Call("order", nil).Failed(t, fault.InputUnavailable)
	for _, wire := range jptest.Wires() {
		if wire.String() == jptest.Unattended.String() {
			t.Errorf("one of all wires is %s", wire)
		}
	}
}
