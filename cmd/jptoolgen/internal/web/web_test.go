package web

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
)

const surface = `{"contract":{"name":"shop","description":"Sells <b>ice</b>.","codes":[],"tools":[
	{"name":"order","description":"Order <img src=x onerror=alert(1)> ice.","input":{"properties":{"scoops":{"type":"integer"},"flavor":{"type":"string","enum":["lemon","vanilla"]}},"required":["scoops"]},
	 "options":{"properties":{"rush":{"type":"string","required":true}},"required":true},"output":{"required":"x"},
	 "questions":[{"id":"pay","kind":"confirm","description":"Pay?"}]}]},"notes":[]}`

// order asks whether to pay, and returns its arguments.
func order(ctx context.Context, r Request, h Hooks) (json.RawMessage, error) {
	if r.Tool != "order" {
		return nil, errors.New("there is no tool " + r.Tool)
	}
	h.Progress(1, 2, "scooping")
	reply, err := h.Ask(ctx, Question{Key: "pay", Message: "Pay?", Schema: json.RawMessage(`{"properties":{"answer":{"type":"boolean"}},"required":["answer"]}`)})
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(string(r.Arguments) + " " + reply.Action + " " + string(reply.Content))
	return json.RawMessage(`{"content":[{"type":"text","text":` + string(text) + `}]}`), err
}

// serve serves a console and returns its address and token.
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

func TestOnlyTheTokenOpens(t *testing.T) {
	address, token := serve(t, Console{Surface: json.RawMessage(surface), Call: order})
	for name, tt := range map[string]struct {
		method, path, token, body string
		status                    int
	}{
		"page without":      {"GET", "/", "", "", 200},
		"surface without":   {"GET", "/api/surface", "", "", 401},
		"surface wrong":     {"GET", "/api/surface", "wrong", "", 401},
		"surface":           {"GET", "/api/surface", token, "", 200},
		"call without":      {"POST", "/api/call", "", `{"tool":"order"}`, 401},
		"call by GET":       {"GET", "/api/call", token, "", 405},
		"no JSON":           {"POST", "/api/call", token, "{", 400},
		"no tool":           {"POST", "/api/call", token, "{}", 400},
		"too long":          {"POST", "/api/call", token, `{"tool":"` + strings.Repeat("x", maxBody) + `"}`, 400},
		"answer without":    {"POST", "/api/answer", "", `{"id":"1","action":"accept"}`, 401},
		"answer to none":    {"POST", "/api/answer", token, `{"id":"1","action":"accept"}`, 404},
		"answer of no kind": {"POST", "/api/answer", token, `{"id":"1","action":"yes"}`, 400},
		"another path":      {"GET", "/etc/passwd", token, "", 404},
	} {
		if got := do(t, tt.method, address+tt.path, tt.token, tt.body).StatusCode; got != tt.status {
			t.Errorf("%s: got %d, want %d", name, got, tt.status)
		}
	}
}

func TestAnotherHostIsRefused(t *testing.T) {
	address, token := serve(t, Console{Surface: json.RawMessage(surface)})
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

func TestOnlyLoopback(t *testing.T) {
	for _, addr := range []net.Addr{&net.TCPAddr{IP: net.IPv4zero}, &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1)}, &net.UnixAddr{Name: "x"}} {
		if _, err := New(Console{}, addr); err == nil {
			t.Errorf("%v is served", addr)
		}
	}
}

func TestPolicyNamesThePage(t *testing.T) {
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
	address, token := serve(t, Console{Surface: json.RawMessage(surface), Call: order})
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
	if e := next(); e.Event != "progress" || e.Progress.Message != "scooping" {
		t.Errorf("got %+v", e)
	}
	q := next()
	if q.Event != "question" || q.Question.Key != "pay" {
		t.Fatalf("got %+v", q)
	}
	if got := do(t, "POST", address+"/api/answer", token, `{"id":"`+q.Question.ID+`","action":"accept","content":{"answer":true}}`).StatusCode; got != http.StatusNoContent {
		t.Errorf("the answer got %d", got)
	}
	if e := next(); e.Event != "result" || !strings.Contains(string(e.Result), `{\"scoops\":2} accept {\"answer\":true}`) {
		t.Errorf("got %s", lines.Text())
	}
	if rest, err := io.ReadAll(resp.Body); err != nil || len(rest) > 0 {
		t.Errorf("after the result came %q, %v", rest, err)
	}
	resp = do(t, "POST", address+"/api/call", token, `{"tool":"other"}`)
	if body, err := io.ReadAll(resp.Body); err != nil || !strings.Contains(string(body), `"error":"there is no tool other"`) {
		t.Errorf("got %s, %v", body, err)
	}
}

// When a browser disconnects, its calls end. The number of concurrent calls is limited.
func TestCallsEndWithTheirBrowser(t *testing.T) {
	running, ended := make(chan struct{}), make(chan struct{})
	address, token := serve(t, Console{Call: func(ctx context.Context, _ Request, _ Hooks) (json.RawMessage, error) {
		running <- struct{}{}
		<-ctx.Done()
		ended <- struct{}{}
		return nil, ctx.Err()
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
		t.Errorf("one more call got %d", got)
	}
	hangUp()
	for range maxCalls {
		<-ended
	}
}
