package jptest_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/jptool/jptool/internal/fixture"
	"github.com/jptool/jptool/sdk/jptest"
)

// Options from the environment are the same on every wire.
func TestOptionsFromTheEnvironment(t *testing.T) {
	t.Setenv("FIXTURE_ECHO_PREFIX", "> ")
	for _, w := range jptest.Wires() {
		out := jptest.NewWith(t, fixture.NewServer(&fixture.Fixture{}), jptest.Options{Wire: w}).Call("echo", map[string]any{"text": "a"})
		if out.Text != "> a" {
			t.Errorf("%s: %q", w, out.Text)
		}
	}
}

// A failure records the message with which a test would have failed.
type failure struct {
	testing.TB
	text string
}

func (f *failure) Helper() {}
func (f *failure) Fatalf(format string, args ...any) {
	f.text = fmt.Sprintf(format, args...)
	runtime.Goexit()
}

// Options and answers that belong to nothing in the contract fail the test.
func TestUnknownNames(t *testing.T) {
	for want, o := range map[string]jptest.Options{
		`the server has no tool, resource or prompt "ecko"`:       {ToolOptions: map[string]any{"ecko": map[string]any{}}},
		`tool "echo" has no option "prefiks"`:                     {ToolOptions: map[string]any{"echo": map[string]any{"prefiks": "x"}}},
		`Answers: the server has no tool, resource or prompt "x"`: {Answers: map[string]map[string]any{"x": {"a": 1}}},
		`tool "order" has no question "flavour"`:                  {Answers: map[string]map[string]any{"order": {"flavour": 1}}},
	} {
		f := &failure{TB: t}
		done := make(chan struct{})
		go func() {
			defer close(done)
			jptest.NewWith(f, fixture.NewServer(&fixture.Fixture{}), o)
		}()
		<-done
		if !strings.Contains(f.text, want) {
			t.Errorf("got %q, want %q", f.text, want)
		}
	}
}
