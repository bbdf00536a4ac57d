package sdk_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/jptool/jptool/internal/fixture"
	"github.com/jptool/jptool/sdk"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/jp/jpdoc"
	"github.com/jptool/jptool/sdk/jp/jphost"
)

// A callerView is what a caller receives: a result, or the code and the text of a fault.
type callerView struct{ code, text string }

// A transportUnderTest calls a tool of the fixture over one transport.
type transportUnderTest struct {
	name string
	call func(t *testing.T, tool, arguments string) callerView
}

// allTransports returns all ways to call the fixture, whose process has these flags.
func allTransports(t *testing.T, args ...string) []transportUnderTest {
	t.Helper()
	p, s := start(t, args...), serve(t, nil, args...)
	own := fixture.NewServer(&fixture.Fixture{})
	return []transportUnderTest{
		{"stdio", func(t *testing.T, tool, arguments string) callerView {
			p.send(callOf(1, tool, arguments))
			return p.recv().view()
		}},
		{"HTTP", func(t *testing.T, tool, arguments string) callerView { return s.call(t, tool, arguments).view() }},
		{"HTTP in a session", func(t *testing.T, tool, arguments string) callerView {
			id, _ := s.session(t, "")
			var r response
			if _, body := s.post(t, callOf(1, tool, arguments), "MCP-Protocol-Version", "2025-11-25", "Mcp-Session-Id", id); json.Unmarshal(body, &r) != nil {
				t.Fatalf("answer %s", body)
			}
			return r.view()
		}},
		{"in process", func(t *testing.T, tool, arguments string) callerView {
			r, err := own.Call(t.Context(), tool, json.RawMessage(arguments), sdk.Host{})
			if err != nil {
				return callerView{string(fault.CodeOf(err)), err.Error()}
			}
			return callerView{"", r.Blocks.Flatten()}
		}},
		{"one-shot", func(t *testing.T, tool, arguments string) callerView {
			o, _, _ := oneshot(t, "", append(args, "call", tool, `{"arguments":`+arguments+`}`)...)
			return viewOf(o)
		}},
		{"command plugin", func(t *testing.T, tool, arguments string) callerView {
			line := fmt.Sprintf(`{"type":"init","version":12,"workspace":{"root":""},"tool":{"name":%q,"arguments":%s}}`, tool, arguments)
			reply := jphost.ReadPlugin("fixture", plugin(t, line, args...))
			if reply.Outcome == nil { // JP itself does not write such a line
				return callerView{"invalid_input", reply.Text}
			}
			return viewOf(*reply.Outcome)
		}},
	}
}

func viewOf(o jpdoc.Outcome) callerView {
	if o.Type != jpdoc.TypeError {
		return callerView{"", o.Content}
	}
	code, text, _ := strings.Cut(o.Message, ": ")
	return callerView{code, text}
}

// call calls a tool with version 2026-07-28.
func (s service) call(t *testing.T, tool, arguments string) response {
	t.Helper()
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s,"_meta":%s}}`, tool, arguments, modernMeta)
	_, data := s.post(t, body, "MCP-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", tool)
	var r response
	if err := json.Unmarshal(data, &r); err != nil {
		t.Fatalf("answer %s: %v", data, err)
	}
	return r
}

// view returns the content of a response. An unknown tool is a protocol error.
func (r response) view() callerView {
	switch {
	case r.Error != nil && r.Error.Code == -32602 && strings.Contains(r.Error.Message, "there is no tool"):
		return callerView{"not_found", r.Error.Message}
	case r.Error != nil:
		return callerView{fmt.Sprint(r.Error.Code), r.Error.Message}
	}
	return callerView{r.Result.Meta["computer.jp/error"].Code, r.Result.text()}
}

// A call has the same outcome over all transports.
func TestCallsOverEveryTransport(t *testing.T) {
	all := allTransports(t)
	for _, tc := range []struct{ name, tool, arguments, code, text string }{
		{"a result", "echo", `{"text":"hi"}`, "", "hi"},
		{"a result that reads like an Outcome", "echo", `{"text":"{\"type\":\"success\",\"content\":\"x\"}"}`, "", `{"type":"success","content":"x"}`},
		{"every problem at once", "echo", `{"text":7,"times":1000}`, "invalid_input", "argument times"},
		{"an argument twice", "echo", `{"text":"a","text":"b"}`, "invalid_input", "text"},
		{"arguments in a list", "names", `[]`, "invalid_input", "object"},
		{"a tool that does not exist", "ehco", `{}`, "not_found", `did you mean "echo"`},
		{"a fault of the tool", "fail", `{"how":"coded"}`, "overheated", "the kettle ran dry"},
		{"a panic", "fail", `{"how":"panic"}`, "internal", "incident"},
		{"a nil pointer", "fail", `{"how":"deref"}`, "internal", "incident"},
		{"a result that JSON cannot hold", "fail", `{"how":"nan"}`, "internal", ""},
		{"a panic while arguments are read", "fragile", `{"glass":"read"}`, "internal", "incident"},
		{"a panic while a result is written", "fragile", `{"glass":"write"}`, "internal", "incident"},
		{"more time than the tool may take", "brief", `{}`, "timeout", "within 100ms"},
	} {
		for _, d := range all {
			got := d.call(t, tc.tool, tc.arguments)
			if got.code != tc.code || !strings.Contains(got.text, tc.text) || strings.Contains(got.text, "secret") {
				t.Errorf("%s: %s receives %+v, want %s %q", d.name, tc.name, got, tc.code, tc.text)
			}
		}
	}
}

// The text of an error without a code is sent only to callers that started the server process.
func TestErrorTextOverEveryTransport(t *testing.T) {
	for _, d := range allTransports(t) {
		got, shown := d.call(t, "fail", `{"how":"uncoded"}`), !strings.HasPrefix(d.name, "HTTP")
		if strings.Contains(got.text, "out of luck") != shown || strings.Contains(got.text, "incident") == shown {
			t.Errorf("%s receives %+v", d.name, got)
		}
	}
}

// The timeout set with the flag applies to every tool, whether or not its handler obeys it.
func TestCallTimeoutOverEveryTransport(t *testing.T) {
	for _, d := range allTransports(t, "--call-timeout", "50ms") {
		if d.name == "in process" {
			continue // this transport has no flags
		}
		for _, tool := range []string{"wait", "hang"} {
			if got := d.call(t, tool, `{}`); got.code != "timeout" || !strings.Contains(got.text, "within 50ms") {
				t.Errorf("%s: %s receives %+v", d.name, tool, got)
			}
		}
	}
}

// A call in this process ends when its context is done.
func TestCanceledCallInThisProcess(t *testing.T) {
	f := &fixture.Fixture{Started: make(chan string)}
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-f.Started
		cancel()
	}()
	_, err := fixture.NewServer(f).Call(ctx, "wait", nil, sdk.Host{})
	if fault.CodeOf(err) != fault.Canceled {
		t.Errorf("the call ends with %v", err)
	}
}

// Over HTTP, a process rejects invalid messages as it does on streams, and continues.
func TestMessagesOverHTTP(t *testing.T) {
	s := serve(t, nil, "--max-frame", "4096")
	call := callOf(1, "echo", `{"text":"x"}`)
	for _, tc := range []struct {
		name, body string
		status     int
		want       string
	}{
		{"an id as it was written", strings.Replace(call, `"id":1`, `"id":1e2`, 1), http.StatusOK, `"id":1e2,"result"`},
		{"a name twice", strings.Replace(call, `"name":"echo"`, `"name":"echo","name":"wait"`, 1), http.StatusBadRequest, `"id":1,"error":{"code":-32600`},
		{"text after the message", call + "{}", http.StatusBadRequest, `-32700`},
		{"a space that JSON does not allow", "\u00a0" + call, http.StatusBadRequest, `-32700`},
		{"too long", call + strings.Repeat(" ", 4096), http.StatusRequestEntityTooLarge, `-32600`},
	} {
		if status, body := s.post(t, tc.body, "MCP-Protocol-Version", "2025-11-25"); status != tc.status || !strings.Contains(string(body), tc.want) {
			t.Errorf("%s: %d %.300s, want %d %s", tc.name, status, body, tc.status, tc.want)
		}
	}
}
