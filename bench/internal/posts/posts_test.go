package posts

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/jptool/jptool/bench/internal/request"
	"github.com/jptool/jptool/bench/internal/serve"
)

// TestMain lets the test binary act as an HTTP server that echoes requests.
func TestMain(m *testing.M) {
	if os.Getenv("POSTS_ECHO") == "" {
		// The variable is for the processes that the tests start.
		os.Setenv("POSTS_ECHO", "1")
		os.Setenv("GORACE", "atexit_sleep_ms=0")
		os.Exit(m.Run())
	}
	if err := serve.HTTP("127.0.0.1:0", http.HandlerFunc(echo)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// echo responds with the header fields and the body of a request.
func echo(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	text := string(body)
	h := r.Header
	seen := fmt.Sprintf(`{"jsonrpc":"2.0","version":%q,"method":%q,"name":%q,"session":%q,"body":%q}`,
		h.Get("MCP-Protocol-Version"), h.Get("Mcp-Method"), h.Get("Mcp-Name"), h.Get(request.SessionHeader), text)
	switch {
	case strings.Contains(text, `"initialize"`):
		w.Header().Set(request.SessionHeader, "s1")
		fmt.Fprint(w, seen)
	case strings.Contains(text, "stream"):
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, "event: prime\ndata: \n\nevent: message\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"x\"}\n\n:comment\n\ndata: %s\n\n", seen)
	case strings.Contains(text, "refuse"):
		http.Error(w, "no", http.StatusBadRequest)
	case strings.Contains(text, "hold"):
		<-r.Context().Done()
	case strings.Contains(text, "notifications/"):
		w.WriteHeader(http.StatusAccepted)
	default:
		fmt.Fprint(w, seen)
	}
}

func runBridge(t *testing.T, lines ...string) []string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := Run(t.Context(), []string{self}, strings.NewReader(strings.Join(lines, "\n")+"\n"), &out); err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(out.String()), "\n")
}

func requestLine(version, method, name, session, body string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","version":%q,"method":%q,"name":%q,"session":%q,"body":%q}`, version, method, name, session, body)
}

func TestLinesArePosted(t *testing.T) {
	const modern = `,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}`
	call := func(id, name, meta string) string {
		return `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"` + name + `"` + meta + `}}`
	}
	for _, test := range []struct {
		name        string
		lines, want []string
	}{
		{"no session", []string{call("1", "a", "")}, []string{requestLine("", "", "", "", call("1", "a", ""))}},
		{"modern", []string{call("1", "a", modern)}, []string{requestLine("2026-07-28", "tools/call", "a", "", call("1", "a", modern))}},
		{"modern, odd name", []string{call("1", "é", modern)}, []string{requestLine("2026-07-28", "tools/call", "=?base64?w6k=?=", "", call("1", "é", modern))}},
		{"session", []string{`{"id":0,"method":"initialize"}`, `{"method":"notifications/initialized"}`, call("1", "a", "")},
			[]string{requestLine("", "", "", "", `{"id":0,"method":"initialize"}`), requestLine("2025-11-25", "", "", "s1", call("1", "a", ""))}},
		{"bytes", []string{" \t[1] "}, []string{requestLine("", "", "", "", " \t[1] ")}},
		{"events", []string{`{"jsonrpc":"2.0","id":1,"method":"stream"}`}, []string{`{"jsonrpc":"2.0","method":"x"}`, requestLine("", "", "", "", `{"jsonrpc":"2.0","id":1,"method":"stream"}`)}},
		{"refused text that is not JSON", []string{`refuse`}, []string{`{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"HTTP 400 Bad Request"}}`}},
		{"refused invalid request", []string{`{"jsonrpc":"1.0","id":5,"method":"refuse"}`}, []string{`{"jsonrpc":"2.0","id":5,"error":{"code":-32600,"message":"HTTP 400 Bad Request"}}`}},
		{"refused request", []string{`{"jsonrpc":"2.0","id":1,"method":"refuse"}`}, []string{`HTTP 400 Bad Request: no`}},
		{"unreadable after modern", []string{strings.Replace(call("1", "a", modern), "tools/call", "refuse", 1), "{"},
			[]string{`HTTP 400 Bad Request: no`, requestLine("2026-07-28", "refuse", "a", "", "{")}},
		{"a hang-up", []string{call("1", "hold", modern),
			`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`, call("2", "b", modern)},
			[]string{requestLine("2026-07-28", "tools/call", "b", "", call("2", "b", modern))}},
	} {
		got := runBridge(t, test.lines...)
		slices.Sort(got) // the order of requests is not defined
		slices.Sort(test.want)
		if !slices.Equal(got, test.want) {
			t.Errorf("%s:\n got %s\nwant %s", test.name, strings.Join(got, "\n     "), strings.Join(test.want, "\n     "))
		}
	}
}

func TestHeaderValue(t *testing.T) {
	for text, want := range map[string]string{
		"search_1": "search_1", "a b": "a b", "": "=?base64??=", " a": "=?base64?IGE=?=", "a\n": "=?base64?YQo=?=",
		"é": "=?base64?w6k=?=", "=?base64?x": "=?base64?PT9iYXNlNjQ/eA==?=",
	} {
		if got := headerValue(text); got != want {
			t.Errorf("%q becomes %q, not %q", text, got, want)
		}
	}
}
