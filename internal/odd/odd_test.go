package odd

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
)

func TestMessagesComeFromTheSeed(t *testing.T) {
	for _, g := range []Generation{Sessions, Requests} {
		calls, every := Calls(g, 1, 600), Messages(g, 1, 5000)
		if !slices.Equal(calls, Calls(g, 1, 600)) || !slices.Equal(every, Messages(g, 1, 5000)) {
			t.Errorf("%s: the same seed gives other messages", g)
		}
		if slices.Equal(every, Messages(g, 2, 5000)) {
			t.Errorf("%s: another seed gives the same messages", g)
		}
		names := map[string]bool{}
		for _, m := range append(calls, every...) {
			if strings.Contains(m.Text, "\n") || strings.Contains(m.Text, "@") || strings.Contains(m.Text, own) {
				t.Errorf("%s: %s is no line, or has a placeholder: %.200q", g, m.Name, m.Text)
			}
			if names[m.Name] {
				t.Errorf("%s: %q is there twice", g, m.Name)
			}
			names[m.Name] = true
		}
	}
}

// The generated messages include many of each kind that the documentation lists.
func TestMessagesAreOfEveryKind(t *testing.T) {
	for _, g := range []Generation{Sessions, Requests} {
		count := map[string]int{}
		for _, m := range Messages(g, 1, 5000) {
			var members map[string]json.RawMessage
			if json.Unmarshal([]byte(m.Text), &members) != nil {
				count["unreadable"]++
				continue
			}
			switch {
			case members["method"] != nil && members["id"] != nil:
				count["requests"]++
			case members["method"] != nil:
				count["notifications"]++
			case members["result"] != nil || members["error"] != nil:
				count["responses"]++
			default:
				count["others"]++
			}
		}
		for _, sort := range []string{"requests", "notifications", "responses", "unreadable", "others"} {
			if count[sort] < 100 {
				t.Errorf("%s: there are %d %s: %v", g, count[sort], sort, count)
			}
		}
		valid := 0
		calls := Calls(g, 1, 600)
		for _, m := range calls {
			if json.Valid([]byte(m.Text)) {
				valid++
			}
		}
		if valid < len(calls)/2 || valid == len(calls) {
			t.Errorf("%s: of %d calls %d are JSON", g, len(calls), valid)
		}
	}
}

// A fake is a server that answers each line that has an id. If old is set, it answers lines that contain old with
// an error.
type fake struct{ old string }

func (f fake) answer(line string) string {
	var m struct{ ID json.RawMessage }
	switch {
	case strings.Contains(line, `"broken"`):
		return `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}}`
	case json.Unmarshal([]byte(line), &m) != nil || m.ID == nil:
		return ""
	case f.old != "" && strings.Contains(line, f.old):
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32602,"message":"old \"%s\" at line 7"}}`, m.ID, f.old)
	}
	return fmt.Sprintf(`{"id":%s,"result":{"at":"2026-11-22T05:00:0%dZ","content":[]},"jsonrpc":"2.0"}`, m.ID, len(f.old)%10)
}

// open serves the fake on a stream.
func (f fake) open(context.Context) (Stream, error) {
	in, client := io.Pipe()
	out, server := io.Pipe()
	go func() {
		defer server.Close()
		for lines := bufio.NewScanner(in); lines.Scan(); {
			if answer := f.answer(lines.Text()); answer != "" {
				fmt.Fprintln(server, answer)
			}
		}
	}()
	return Stream{In: client, Out: out, End: func() error { return nil }}, nil
}

// ServeHTTP serves the fake over HTTP, with events in sessions.
func (f fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	answer := f.answer(string(body))
	switch {
	case r.Method == http.MethodDelete, answer == "":
		w.WriteHeader(http.StatusAccepted)
	case strings.Contains(string(body), `"initialize"`):
		w.Header().Set("Mcp-Session-Id", "s1")
		fmt.Fprint(w, answer)
	case r.Header.Get("Mcp-Session-Id") != "":
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, "event: message\ndata: %s\n\n", answer)
	default:
		fmt.Fprint(w, answer)
	}
}

var probes = []Message{
	{"good", `{"jsonrpc":"2.0","id":1.50,"method":"a"}`}, {"first", `{"jsonrpc":"2.0","id":2,"method":"xx"}`},
	{"second", `{"jsonrpc":"2.0","id":3,"method":"xx","params":{}}`}, {"silent", `{"jsonrpc":"2.0","method":"n"}`}, {"broken", `{"broken"`},
}

func TestServersThatAnswerAlike(t *testing.T) {
	f := fake{}
	s := httptest.NewServer(fake{"never"})
	defer s.Close()
	e := Endpoint{s.URL, s.Client()}
	moments := []Moment{LaterLine(f.open, Sessions), FirstLine(f.open, Sessions), AfterSetLevel(f.open), e.Session(), e.Sessionless(Sessions)}
	report, err := Compare(t.Context(), moments, probes, 2)
	if err != nil || len(report.Kinds) > 0 {
		t.Errorf("what is alike differs: %v\n%s", err, report)
	}
}

func TestServersThatDoNot(t *testing.T) {
	s := httptest.NewServer(fake{"xx"})
	defer s.Close()
	e := Endpoint{s.URL, s.Client()}
	report, err := Compare(t.Context(), []Moment{LaterLine(fake{}.open, Sessions), e.Session(), e.Sessionless(Sessions)}, probes, 2)
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Kinds) != 2 || report.Differing["HTTP session"] != 2 || report.Differing["HTTP without a session"] != 2 {
		t.Fatalf("the differences are others:\n%s", report)
	}
	k := report.Kinds[0]
	if k.Moment != "HTTP session" || k.Count != 2 || k.Want != "result" || k.Got != "error -32602 old … at line …" || k.Example != probes[1] {
		t.Errorf("the kind is another: %+v", k)
	}
}

func TestAnswers(t *testing.T) {
	for _, test := range []struct{ sent, line, shape string }{
		{`{"id":1.5}`, `{"jsonrpc":"2.0","id":1.5,"result":{}}`, "result"},
		{`{"id":1.5}`, `{"jsonrpc":"2.0","id":1,"result":{}}`, "result with another id"},
		{`{"id":1,"ID":{}}`, `{"jsonrpc":"2.0","id":1,"result":{}}`, "result"},
		{`{"id":1}`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"duplicate \"name\""}}`, "error -32600 duplicate … with id null"},
		{`{"id":1}`, `{"id":1,"result":{"isError":true,"content":[{"type":"text","text":"invalid_input: x"}]}}`, "fault invalid_input"},
		{`{"id":1}`, `{"id":1,"result":{"resultType":"input_required"}}`, "result input_required"},
		{`{"id":1}`, `{"jsonrpc":"2.0","method":"notifications/message"}`, "message notifications/message"},
		{`{"id":1}`, `HTTP 400 no "x" at 7: because`, "HTTP 400 no … at …"},
	} {
		if got := readAnswer(test.line, idOf(test.sent)).shape; got != test.shape {
			t.Errorf("%s is %q, not %q", test.line, got, test.shape)
		}
	}
	a := readAnswer(`{"id":1,"result":{"text":"see incident ABC123, 2026-01-02T03:04:05.6Z"}}`, json.RawMessage("1"))
	b := readAnswer(`{"result":{"text":"see incident XYZ789, 2027-01-02T03:04:05Z"},"id":2}`, json.RawMessage("2"))
	if a.text != b.text {
		t.Errorf("%s and %s differ", a.text, b.text)
	}
}

func TestHeaderFields(t *testing.T) {
	for text, want := range map[string]string{
		`{"method":"tools/call","params":{"name":"echo"}}`: "2026-07-28 tools/call echo",
		Requests.call(good): "2026-07-28 tools/call echo",
		Requests.fill(`{"METHOD":"x","method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2025-11-25"}}}`): "2025-11-25",
		strings.Replace(Requests.call(good), `"echo"`, `"é "`, 1):                                                                         "2026-07-28 tools/call =?base64?w6kg?=",
		strings.Replace(Requests.call(good), `"name":"echo"`, `"name":7,"uri":"file:x"`, 1):                                               "2026-07-28 tools/call file:x",
	} {
		h := fields(Requests, text)
		if got := strings.TrimSpace(h.Get("MCP-Protocol-Version") + " " + h.Get("Mcp-Method") + " " + h.Get("Mcp-Name")); got != want {
			t.Errorf("%s has the fields %q, not %q", text, got, want)
		}
	}
}
