package jptest

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/jptool/jptool/internal/fixture"
	"github.com/jptool/jptool/internal/fixture/shelf"
	"github.com/jptool/jptool/sdk"
	"github.com/jptool/jptool/sdk/fault"
)

func FuzzEcho(f *testing.F)     { Fuzz(f, fixture.NewServer(&fixture.Fixture{}), "echo") }
func FuzzOrder(f *testing.F)    { Fuzz(f, fixture.NewServer(&fixture.Fixture{}), "order") }
func FuzzRegister(f *testing.F) { Fuzz(f, fixture.NewServer(&fixture.Fixture{}), "register") }

// A fuzz target fails the test only for the faults that it looks for.
func TestWhatFuzzingFinds(t *testing.T) {
	s := fixture.NewServer(&fixture.Fixture{})
	for _, tc := range []struct{ tool, arguments, want string }{
		{"fail", `{"how":"panic"}`, `fail of {"how":"panic"}, with answers from seed 1: internal: the tool crashed`},
		{"fail", `{"how":"uncoded"}`, "internal: out of luck"},
		{"break", `{"break":"reworded"}`, "was asked twice in one run"},
		{"fail", `{"how":"coded"}`, ""},
		{"echo", `[`, ""},
		{"echo", `{"text":7}`, ""},
		{"echo", `{"text":"a"}`, ""},
	} {
		said := &talker{TB: t}
		for seed := range uint64(8) {
			try(said, s, tc.tool, t.TempDir(), []byte(tc.arguments), seed)
		}
		if got := strings.Join(said.errors, "\n"); tc.want == "" && got != "" || !strings.Contains(got, tc.want) {
			t.Errorf("%s of %s: the test failed with %q, want %q", tc.tool, tc.arguments, got, tc.want)
		}
	}
}

func TestFuzzingFindsResultsOverBudget(t *testing.T) {
	said := &talker{TB: t}
	for _, opinion := range []string{"Buy.", strings.Repeat("Buy. ", 300)} {
		try(said, shelf.NewServer(shelf.New(1)), "quote", t.TempDir(), []byte(`{"opinion":"`+opinion+`"}`), 1)
	}
	if len(said.errors) != 1 || !strings.Contains(said.errors[0], "quote returned 1549 bytes, over its budget of 1000") {
		t.Errorf("the test failed with %q", said.errors)
	}
}

// The values of the seed corpus reach the handlers and answer their questions.
func TestSamples(t *testing.T) {
	s := fixture.NewServer(&fixture.Fixture{})
	for _, name := range []string{"echo", "look", "slow", "stage", "draft", "fail"} {
		tool, _ := s.Contract().Tool(name)
		fit := false
		for seed := range uint64(8) {
			arguments := sample(json.RawMessage(tool.Input), seed)
			if !json.Valid(arguments) || string(arguments) != string(sample(json.RawMessage(tool.Input), seed)) {
				t.Errorf("%s: seed %d gives %s", tool.Name, seed, arguments)
			}
			_, err := s.Call(t.Context(), tool.Name, arguments, sdk.Host{})
			fit = fit || fault.CodeOf(err) != fault.InvalidInput
		}
		if !fit {
			t.Errorf("%s: no sample fits", tool.Name)
		}
	}
}
