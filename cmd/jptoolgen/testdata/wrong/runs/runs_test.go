// Package runs calls the tools of programs whose errors only a run can find.
package runs

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"example.com/wrong/code14"
	"example.com/wrong/kept13"
	"example.com/wrong/late02"
	"example.com/wrong/late03"
	"example.com/wrong/late07"
	"example.com/wrong/late11"
	"example.com/wrong/late12"
	"example.com/wrong/late14"
	"example.com/wrong/late15"
	"example.com/wrong/w29"
	"example.com/wrong/w31"
	"example.com/wrong/w69"
	"example.com/wrong/w71"
	"example.com/wrong/when19"

	"github.com/jptool/jptool/sdk"
	"github.com/jptool/jptool/sdk/jptest"
	"github.com/jptool/jptool/sdk/tool"
)

// A listener records the errors that a kit reports, and does not fail.
type listener struct {
	testing.TB

	mu       sync.Mutex
	reported []string
}

func (l *listener) Errorf(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.reported = append(l.reported, fmt.Sprintf(format, args...))
}

func (l *listener) Logf(string, ...any) {}

// reports returns the recorded errors.
func (l *listener) reports() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Join(l.reported, "\n")
}

// replay is the code for an error that the kit reports although the call succeeds.
const replay = "replay"

// edited returns server, with a change to the file that its tool reads after each question, as by another process.
func edited(t *testing.T, server *sdk.Server) *sdk.Server {
	t.Chdir(t.TempDir())
	write := func(text string) {
		if err := os.WriteFile("note.txt", []byte(text), 0o600); err != nil {
			t.Error(err)
		}
	}
	write("a")
	server.Intercept(func(ctx context.Context, _ *tool.Round, next func(context.Context) error) error {
		err := next(ctx)
		if tool.Asks(err) != nil {
			write("b")
		}
		return err
	})
	return server
}

// The name of a subtest is the name of the program and the code that catches it.
func TestRuns(t *testing.T) {
	named := map[string]any{"name": "x"}
	for _, tc := range []struct {
		program string
		server  *sdk.Server
		input   any
		script  []jptest.Reply
		code    string
		says    string
	}{
		{"w69", w69.NewServer(&w69.Store{}), map[string]any{"name": ""}, nil, "internal", "incident"},
		{"code14", code14.NewServer(&code14.Store{}), named, nil, "internal", "incident"},
		{"late02", late02.NewServer(&late02.Store{}), named, nil, "internal", `question "pick" offers "x"`},
		{"late03", late03.NewServer(&late03.Store{}), nil, nil, "internal", `question "pick" offers ""`},
		{"w31", w31.NewServer(&w31.Store{}), nil, nil, "internal", `question "pick" offers nothing to pick from`},
		{"w71", w71.NewServer(&w71.Store{}), nil, nil, "internal", `question "pick" offers nothing to pick from`},
		{"w29", w29.NewServer(&w29.Store{}), named, nil, "internal", `question "sure" was asked in a branch`},
		{"kept13", kept13.NewServer(&kept13.Store{}), nil, nil, "internal", `question "sure" was asked in a branch`},
		{"late07", late07.NewServer(&late07.Store{}), named, []jptest.Reply{jptest.Answer("sure", true)}, replay, `question 1 was "sure": Save x?`},
		{"late11", late11.NewServer(&late11.Store{}), named, nil, "internal", "value: +Inf is not a JSON number"},
		{"late12", late12.NewServer(&late12.Store{}), nil, nil, "internal", `the result of tool.Once "channel" cannot be encoded as JSON`},
		{"late14", late14.NewServer(&late14.Store{}), nil, nil, "internal", `tool.Once "id" was used twice in one run`},
		{"late15", late15.NewServer(&late15.Store{}), nil, []jptest.Reply{jptest.Answer("sure", true)}, replay, "Save number 1?"},
		{"when19", edited(t, when19.NewServer(&when19.Store{})), named, []jptest.Reply{jptest.Answer("sure", true)}, replay, `question 1 was "sure": Save x: a?, and in the next run it was "sure": Save x: b?`},
	} {
		t.Run(tc.program+"/"+tc.code, func(t *testing.T) {
			l := &listener{TB: t}
			out := jptest.New(l, tc.server).Call("save", tc.input, tc.script...)
			code, says := string(out.Code), out.Message
			if code == "" && l.reports() != "" {
				code, says = replay, l.reports()
			} else if text := l.reports(); text != "" {
				t.Errorf("the kit reports %q", text)
			}
			if code != tc.code || !strings.Contains(says, tc.says) {
				t.Errorf("ended with %q, %s: %s; want %s: …%s…", out.Text, code, says, tc.code, tc.says)
			}
		})
	}
}
