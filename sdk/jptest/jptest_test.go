package jptest_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/jptool/jptool/internal/fixture"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/jptest"
)

func kit(t testing.TB) *jptest.Kit { return jptest.New(t, fixture.NewServer(&fixture.Fixture{})) }

type object = map[string]any

func TestWhatFailsATest(t *testing.T) {
	for _, tc := range []struct {
		name string
		test func(t testing.TB)
		want string
	}{
		{"a question without a reply", func(t testing.TB) { kit(t).Call("order", nil) },
			`the test has no reply to question "which-flavor" (one of ["vanilla" "lemon"]): Which flavor?`},
		{"a later question without a reply", func(t testing.TB) { kit(t).Call("order", nil, jptest.Answer("which-flavor", "lemon")) },
			`no reply to question "scoops" (kind number)`},
		{"a reply to no question", func(t testing.TB) { kit(t).Call("echo", object{"text": "a"}, jptest.Answer("pay", true)) },
			`echo: question "pay" was not asked`},
		{"a reply after the end", func(t testing.TB) {
			kit(t).Call("order", nil, jptest.Cancel("which-flavor"), jptest.Answer("scoops", 1))
		}, `order: question "scoops" was not asked`},
		{"a reply about another subject", func(t testing.TB) {
			kit(t).Call("stage", object{"hunks": []string{"a"}}, jptest.Answer("stage", true), jptest.Answer("stage-b", true))
		}, `stage: question "stage-b" was not asked`},
		{"arguments without JSON", func(t testing.TB) { kit(t).Call("echo", func() {}) }, "echo: encoding the arguments"},
		{"a reply without JSON", func(t testing.TB) { kit(t).Call("order", nil, jptest.Answer("which-flavor", func() {})) }, "unsupported type"},
		{"options without JSON", func(t testing.TB) {
			jptest.NewWith(t, fixture.NewServer(&fixture.Fixture{}), jptest.Options{ToolOptions: object{"echo": func() {}}})
		}, `encoding "echo"`},
		{"no success", func(t testing.TB) { kit(t).Call("fail", object{"how": "coded"}).OK(t) },
			"fail failed: overheated: the kettle ran dry"},
		{"dismissed and no success", func(t testing.TB) { kit(t).Call("order", nil, jptest.Cancel("which-flavor")).OK(t) }, "dismissed: true"},
		{"no failure", func(t testing.TB) { kit(t).Call("echo", object{"text": "a"}).Failed(t, fault.Conflict) },
			`echo ended with code "" and text "a", want code "conflict"`},
		{"another failure", func(t testing.TB) { kit(t).Call("fail", object{"how": "uncoded"}).Failed(t, "overheated") },
			`fail ended with code "internal"`},
		{"a tool that is not there", func(t testing.TB) { kit(t).Call("ehco", nil).OK(t) }, `ehco failed: not_found: there is no tool "ehco"`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got, _ := run(tc.test); !strings.Contains(got, tc.want) || strings.Contains(got, "serving ended") {
				t.Errorf("the test failed with %q, want %q", got, tc.want)
			}
		})
	}
}

func TestOutcomes(t *testing.T) {
	k := kit(t)
	out := k.Call("order", nil, jptest.Answer("pay", true), jptest.Answer("which-flavor", fixture.Lemon), jptest.Answer("scoops", "2"))
	if text := out.OK(t); text != "2 scoops of lemon" || out.Runs != 4 || !slices.Equal(out.Questions(), []string{"which-flavor", "scoops", "pay"}) {
		t.Errorf("order: %+v", out)
	}
	out = k.Call("fail", object{"how": "coded"})
	if message := out.Failed(t, fixture.Overheated); message != "the kettle ran dry" || !out.Transient || len(out.Trace) == 0 || out.Runs != 1 {
		t.Errorf("fail: %+v", out)
	}
	for _, refusal := range []jptest.Reply{jptest.Cancel("which-flavor"), jptest.Decline("which-flavor")} {
		if out = k.Call("order", nil, refusal); !out.Dismissed || out.Failed(t, fault.InputDeclined) != "" || out.Text != "" || out.Code != "" {
			t.Errorf("a refused question: %+v", out)
		}
	}
	k.Call("order", nil, jptest.Answer("which-flavor", "mint")).Failed(t, fault.InvalidAnswer)
}

func TestSubjectsAndForms(t *testing.T) {
	k := kit(t)
	hunks := object{"hunks": []string{"a", "b", "c"}}
	if text := k.Call("stage", hunks, jptest.Answer("stage", true), jptest.Answer("stage-b", false)).OK(t); text != "staged a,c" {
		t.Errorf("stage: %q", text)
	}
	const want = `Ada with 2, lemon, dinner true, remark ""`
	badge := fixture.Badge{Name: "Ada", Flavor: fixture.Lemon, Guests: 2, Dinner: true}
	if text := k.Call("register", nil, jptest.Answer("badge", badge)).OK(t); text != want {
		t.Errorf("register: %q", text)
	}
	if text := k.Call("register", nil, jptest.Answer("badge", badge), jptest.Answer("badge-name", "Bob")).OK(t); !strings.HasPrefix(text, "Bob") {
		t.Errorf("register with a field of its own: %q", text)
	}
	k.Call("register", nil, jptest.Answer("badge", object{"name": "Ada"})).Failed(t, fault.InvalidAnswer)
	k.Call("register", nil, jptest.Answer("badge", "Ada")).Failed(t, fault.InvalidAnswer)
}

func TestConfiguredHost(t *testing.T) {
	k := jptest.NewWith(t, fixture.NewServer(&fixture.Fixture{}), jptest.Options{
		Root:        "/somewhere",
		ToolOptions: object{"echo": fixture.EchoOptions{Prefix: "> ", Limit: 2}},
		Answers:     map[string]map[string]any{"order": {"which-flavor": "vanilla", "pay": true}},
	})
	echo := k.Call("echo", object{"text": "a", "times": 2})
	if text := echo.OK(t); text != "> aa" {
		t.Errorf("echo: %q", text)
	}
	k.Call("echo", object{"text": "a", "times": 3}).Failed(t, fault.Conflict)
	out := k.Call("order", nil, jptest.Answer("scoops", 3))
	if text := out.OK(t); text != "3 scoops of vanilla" || !slices.Equal(out.Questions(), []string{"scoops"}) {
		t.Errorf("order: %+v", out)
	}
	if text := k.Call("place", nil).OK(t); !strings.Contains(text, `"root":"/somewhere"`) {
		t.Errorf("place: %s", text)
	}
}

func TestUnseen(t *testing.T) {
	var before, after []string
	failures, _ := run(func(t testing.TB) {
		k := kit(t)
		before = k.Unseen()
		k.Call("stage", object{"hunks": []string{"a"}}, jptest.Answer("stage", true))
		k.Call("fail", object{"how": "coded"})
		k.Call("order", nil, jptest.Answer("which-flavor", "lemon"), jptest.Cancel("scoops"))
		k.Call("register", nil, jptest.Cancel("badge"))
		after = k.Unseen()
	})
	if failures != "" {
		t.Fatal(failures)
	}
	wantBefore := []string{
		"break asks first", "break asks host", "break asks page", "break asks pick", "break asks second", "break asks strict", "draft asks publish", "draft asks title", "draft fails with conflict",
		"echo fails with conflict", "erase asks sure", "erase fails with not_found", "erase fails with permission_denied", "erase fails with unavailable",
		"fail fails with overheated", "fragile asks drop",
		"look fails with not_found", "look fails with permission_denied", "look fails with unavailable", "order asks pay", "order asks scoops", "order asks which-flavor", "order fails with state", "register asks badge", "stage asks stage",
	}
	if !slices.Equal(before, wantBefore) {
		t.Errorf("before any call: %q", before)
	}
	seen := []string{"fail fails with overheated", "order asks scoops", "order asks which-flavor", "register asks badge", "stage asks stage"}
	wantAfter := slices.DeleteFunc(wantBefore, func(line string) bool { return slices.Contains(seen, line) })
	if !slices.Equal(after, wantAfter) {
		t.Errorf("after some calls: %q", after)
	}
}

func Example() {
	test := func(t testing.TB) { // a test function normally has a *testing.T
		kit := jptest.New(t, fixture.NewServer(&fixture.Fixture{}))
		out := kit.Call("order", nil,
			jptest.Answer("which-flavor", "lemon"), jptest.Answer("scoops", 2), jptest.Answer("pay", false))
		fmt.Println(out.Failed(t, fault.State))
	}
	run(test)
	// Output: not paid
}

// If the questions of a handler contain text that changes between runs, the test fails.
func TestUnstableHandlers(t *testing.T) {
	failures, _ := run(func(t testing.TB) {
		kit := jptest.New(t, fixture.NewServer(&fixture.Fixture{}))
		kit.Call("break", object{"break": "unstable"}, jptest.Answer("first", true))
	})
	if !strings.Contains(failures, `break asks a different question when it runs again: question 1 was "first": Save at 1?`) {
		t.Errorf("the test failed with %q", failures)
	}
}
