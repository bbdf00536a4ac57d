package web

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/caller"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/shape"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/target"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/terminal"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// newSurface returns the surface of a server with one tool.
func newSurface(t *testing.T) json.RawMessage {
	t.Helper()
	text, err := Surface(&target.Surface{Whole: true, Contract: &manifest.Server{
		Name: "shop", Description: "Sells <b>ice</b>.",
		Tools: []manifest.Tool{{
			Name: "order", Description: "Order <img src=x onerror=alert(1)> ice. Hidden\u202etext.\n- one\n- two",
			Input: manifest.Schema(`{"properties":{"scoops":{"type":"integer","title":"Number of scoops","maximum":9007199254740999},
				"flavor":{"type":"string","enum":["lemon","vanilla\u200b"]}},"required":["scoops"]}`),
			Options:   manifest.Schema(`{"properties":{"rush":{"type":"string","required":true}},"required":true}`),
			Output:    manifest.Schema(`{"required":"x"}`),
			Questions: []manifest.Question{{ID: "pay", Kind: "confirm", Description: "Pay?"}},
		}},
		Resources: []manifest.Resource{{URI: "shop://menu", Name: "menu"}}, Prompts: []manifest.Prompt{{Name: "recommend"}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// order asks whether to pay, and returns its arguments.
func order(ctx context.Context, r Request, h Hooks) (Result, error) {
	if r.Tool != "order" {
		return Result{}, errors.New("there is no tool " + r.Tool)
	}
	h.Line("jptoolgen call shop order")
	h.Progress(1, 2, "scooping")
	h.Log("info: melting")
	answer, err := h.Ask(ctx, caller.Question{ID: "pay", Text: "Pay?", Schema: shape.Schema{Types: []string{"boolean"}}})
	if err != nil {
		return Result{}, err
	}
	text, err := json.Marshal(string(r.Arguments) + " " + string(answer))
	return Result{Value: json.RawMessage(`{"content":[{"type":"text","text":` + string(text) + `}]}`)}, err
}

// serve serves a console and returns its URL and token.
func serve(t *testing.T, c Console) (address, token string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(c, l.Addr())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx, l) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return "http://" + l.Addr().String(), strings.TrimPrefix(s.Path(), "/#")
}

func do(t *testing.T, method, url, token, body string) *http.Response {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { resp.Body.Close() })
	return resp
}

func TestTokenIsRequired(t *testing.T) {
	address, token := serve(t, Console{Server: "shop", Surface: newSurface(t), Call: order})
	for name, tt := range map[string]struct {
		method, path, token, body string
		status                    int
	}{
		"page without token":       {"GET", "/", "", "", 200},
		"surface without token":    {"GET", "/api/surface", "", "", 401},
		"surface with wrong token": {"GET", "/api/surface", "wrong", "", 401},
		"surface":                  {"GET", "/api/surface", token, "", 200},
		"call without token":       {"POST", "/api/call", "", `{"tool":"order"}`, 401},
		"call by GET":              {"GET", "/api/call", token, "", 405},
		"invalid JSON":             {"POST", "/api/call", token, "{", 400},
		"no tool":                  {"POST", "/api/call", token, "{}", 400},
		"too long":                 {"POST", "/api/call", token, `{"tool":"` + strings.Repeat("x", maxBody) + `"}`, 400},
		"answer without token":     {"POST", "/api/answer", "", `{"id":"1","action":"accept"}`, 401},
		"unknown question":         {"POST", "/api/answer", token, `{"id":"1","action":"accept"}`, 404},
		"unknown action":           {"POST", "/api/answer", token, `{"id":"1","action":"yes"}`, 400},
		"another path":             {"GET", "/etc/passwd", token, "", 404},
	} {
		if got := do(t, tt.method, address+tt.path, tt.token, tt.body).StatusCode; got != tt.status {
			t.Errorf("%s: got %d, want %d", name, got, tt.status)
		}
	}
}

func TestAnotherHostIsRefused(t *testing.T) {
	address, token := serve(t, Console{Server: "shop", Surface: newSurface(t)})
	req, err := http.NewRequestWithContext(t.Context(), "GET", address+"/api/surface", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Host = "attacker.example"
	req.Header.Set("Authorization", "Bearer "+token)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusMisdirectedRequest {
		t.Errorf("got %d", resp.StatusCode)
	}
}

// Browsers omit port 80 from the Host header.
func TestPort80(t *testing.T) {
	s, err := New(Console{}, &net.TCPAddr{IP: net.IPv6loopback, Port: 80})
	if err != nil {
		t.Fatal(err)
	}
	for host, want := range map[string]int{"[::1]": 200, "localhost": 200, "localhost:80": 200, "127.0.0.1": 421, "localhost:8080": 421} {
		w, r := httptest.NewRecorder(), httptest.NewRequest("GET", "/", http.NoBody)
		r.Host = host
		if s.handler().ServeHTTP(w, r); w.Code != want {
			t.Errorf("%s: got %d, want %d", host, w.Code, want)
		}
	}
}

func TestOnlyLoopback(t *testing.T) {
	for _, addr := range []net.Addr{&net.TCPAddr{IP: net.IPv4zero}, &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1)}, &net.UnixAddr{Name: "x"}} {
		if _, err := New(Console{}, addr); err == nil {
			t.Errorf("%v was accepted", addr)
		}
	}
}

func TestContentSecurityPolicy(t *testing.T) {
	address, _ := serve(t, Console{})
	policy := do(t, "GET", address+"/", "", "").Header.Get("Content-Security-Policy")
	for _, want := range []string{"default-src 'none'", "script-src 'sha256-", "style-src 'sha256-", "connect-src 'self'", "frame-ancestors 'none'"} {
		if !strings.Contains(policy, want) {
			t.Errorf("%s lacks %s", policy, want)
		}
	}
	for _, bad := range []string{"http://", "https://", "innerHTML", "eval(", "document.write"} {
		if strings.Contains(string(page), bad) {
			t.Errorf("the page has %s", bad)
		}
	}
}

func TestCallAsksAndAnswers(t *testing.T) {
	address, token := serve(t, Console{Server: "shop", Surface: newSurface(t), Call: order})
	resp := do(t, "POST", address+"/api/call", token, `{"tool":"order","arguments":{"scoops":2}}`)
	lines := bufio.NewScanner(resp.Body)
	next := func() (e event) {
		t.Helper()
		if !lines.Scan() {
			t.Fatalf("the events end: %v", lines.Err())
		}
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			t.Fatal(err)
		}
		return e
	}
	if e := next(); e.Event != "line" || e.Text != "jptoolgen call shop order" {
		t.Errorf("got %+v", e)
	}
	if e := next(); e.Event != "progress" || e.Progress.Message != "scooping" {
		t.Errorf("got %+v", e)
	}
	if e := next(); e.Event != "log" || e.Text != "info: melting" {
		t.Errorf("got %+v", e)
	}
	q := next()
	if q.Event != "question" || q.Question.Key != "pay" || q.Question.Asker != `The tool "order" of the server "shop" asks` {
		t.Fatalf("got %+v", q)
	}
	if got := do(t, "POST", address+"/api/answer", token, `{"id":"`+q.Question.ID+`","action":"accept","content":{"answer":true}}`).StatusCode; got != http.StatusNoContent {
		t.Errorf("the answer got %d", got)
	}
	if e := next(); e.Event != "result" || !strings.Contains(string(e.Result), `{\"scoops\":2} true`) {
		t.Errorf("got %s", lines.Text())
	}
	if rest, err := io.ReadAll(resp.Body); err != nil || len(rest) > 0 {
		t.Errorf("unexpected data after the result: %q, %v", rest, err)
	}
	resp = do(t, "POST", address+"/api/call", token, `{"tool":"other"}`)
	if body, err := io.ReadAll(resp.Body); err != nil || !strings.Contains(string(body), `"error":"there is no tool other"`) {
		t.Errorf("got %s, %v", body, err)
	}
}

// When a browser disconnects, its calls are canceled. The number of concurrent calls is limited.
func TestCallsEndWithTheirBrowser(t *testing.T) {
	running, ended := make(chan struct{}), make(chan struct{})
	address, token := serve(t, Console{Call: func(ctx context.Context, _ Request, _ Hooks) (Result, error) {
		running <- struct{}{}
		<-ctx.Done()
		ended <- struct{}{}
		return Result{}, ctx.Err()
	}})
	ctx, hangUp := context.WithCancel(t.Context())
	for range maxCalls {
		req, err := http.NewRequestWithContext(ctx, "POST", address+"/api/call", strings.NewReader(`{"tool":"x"}`))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+token)
		go func() {
			if resp, err := http.DefaultClient.Do(req); err == nil {
				resp.Body.Close()
			}
		}()
		<-running
	}
	if got := do(t, "POST", address+"/api/call", token, `{"tool":"x"}`).StatusCode; got != http.StatusTooManyRequests {
		t.Errorf("a call above the limit got %d", got)
	}
	hangUp()
	for range maxCalls {
		<-ended
	}
}

// Invisible characters are marked in all strings, including those that JSON escapes, and nothing else changes.
func TestMarkHidden(t *testing.T) {
	const escaped = `\u`
	for in, want := range map[string]string{
		`{"a":"plain\ntext","n":12345678901234567890.50}`: `{"a":"plain\ntext","n":12345678901234567890.50}`,
		`["x` + escaped + `202ey","x` + "\u202e" + `y"]`:  `["x` + "\ue000202e\ue001" + `y","x` + "\ue000202e\ue001" + `y"]`,
		`{"k` + "\u200b" + `":"\u001b[2J"}`:               `{"k` + "\ue000200b\ue001" + `":"` + "\ue0001b\ue001" + `[2J"}`,
		`"` + "\ue000202e\ue001" + `"`:                    `"` + "\ue000e000\ue001" + "202e" + "\ue000e001\ue001" + `"`,
		`"👩` + "\u200d" + `👧"`:                            `"👩` + "\u200d" + `👧"`,
	} {
		if got, err := markHidden([]byte(in)); err != nil || string(got) != want {
			t.Errorf("%s is marked as %q, %v; want %q", in, got, err, want)
		}
	}
}

func TestReplies(t *testing.T) {
	form := caller.Question{Form: true}
	for _, tt := range []struct {
		reply, want string
		q           caller.Question
		err         error
	}{
		{`{"action":"accept","content":{"answer":7}}`, `7`, caller.Question{}, nil},
		{`{"action":"accept","content":{"b":1,"a":"x"}}`, `{"a":"x","b":1}`, form, nil},
		{`{"action":"accept"}`, `{}`, form, nil},
		{`{"action":"decline"}`, ``, form, terminal.ErrDeclined},
		{`{"action":"cancel"}`, ``, form, terminal.ErrCanceled},
	} {
		var r reply
		if err := json.Unmarshal([]byte(tt.reply), &r); err != nil {
			t.Fatal(err)
		}
		if got, err := r.value(tt.q); string(got) != tt.want || !errors.Is(err, tt.err) {
			t.Errorf("%s: %s, %v", tt.reply, got, err)
		}
	}
	if _, err := (reply{Action: "accept"}).value(caller.Question{}); err == nil {
		t.Error("a reply without an answer was accepted")
	}
}

// If a schema exceeds the size limit, the user writes the arguments as JSON.
func TestLongSchema(t *testing.T) {
	long := toolOf(manifest.Tool{Name: "t", Input: manifest.Schema(`{"properties":{"a":{"enum":["` + strings.Repeat(`item","`, 200_000) + `"]}}}`)})
	if !long.Raw || len(long.Input) != 1 || long.Input[0].Input != "json" {
		t.Errorf("got %+v", long)
	}
}

func TestFields(t *testing.T) {
	for schema, want := range map[string]string{
		`{"type":"string","minLength":2,"format":"email","title":"T"}`:  `{"name":"x","title":"T","description":"","type":"string (email), at least 2 characters","input":"email","required":false,"choices":[],"several":false}`,
		`{"anyOf":[{"type":"integer"},{"type":"null"}],"default":null}`: `{"name":"x","title":"","description":"","type":"integer or null","input":"json","required":false,"default":null,"choices":[],"several":false}`,
		`{"type":"boolean"}`: `{"name":"x","title":"","description":"","type":"boolean","input":"boolean","required":false,"choices":[{"value":true,"title":"yes"},{"value":false,"title":"no"}],"several":false}`,
		`{"type":"array","items":{"oneOf":[{"const":"r","title":"Red"}]}}`: `{"name":"x","title":"","description":"","type":"list of strings","input":"json","required":false,"choices":[{"value":"r","title":"Red"}],"several":true}`,
		`{"type":"string","writeOnly":true}`:                               `{"name":"x","title":"","description":"","type":"string","input":"password","required":false,"choices":[],"several":false}`,
	} {
		got, err := json.Marshal(fieldsOf(manifest.Schema(`{"properties":{"x":` + schema + `}}`)))
		if err != nil || string(got) != "["+want+"]" {
			t.Errorf("%s is\n%s, %v; want\n%s", schema, got, err, want)
		}
	}
}

// A server without resources or prompts has empty lists, not null, because the page iterates over them.
func TestEmptyLists(t *testing.T) {
	text, err := Surface(&target.Surface{Contract: &manifest.Server{Name: "x", Tools: []manifest.Tool{{Name: "t"}}}})
	if err != nil || strings.Contains(string(text), "null") {
		t.Errorf("%s, %v", text, err)
	}
}
