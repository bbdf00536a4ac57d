package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// openPage runs jptoolgen inspect --web and returns a function that sends requests as the page's script does.
func openPage(t *testing.T, words ...string) func(method, path, body string) *http.Response {
	t.Helper()
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	cmd := exec.CommandContext(ctx, "jptoolgen", append([]string{"inspect", "--web"}, words...)...)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cancel()
		_ = cmd.Wait() // returns an error, because the server was interrupted
	})
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	base, token, ok := strings.Cut(strings.TrimSpace(address), "/#")
	if !ok || !strings.HasPrefix(base, "http://127.0.0.1:") {
		t.Fatalf("printed %q", address)
	}
	return func(method, path, body string) *http.Response {
		t.Helper()
		req, err := http.NewRequestWithContext(ctx, method, base+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+token)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		return resp
	}
}

// The test lists the tools of a running server, calls one, and answers its question.
func TestInspectWeb(t *testing.T) {
	request := openPage(t, "--timeout=20s", "--env=MODE=a b", "--env=API_TOKEN=abc", "--", "kiosk")
	surface, err := io.ReadAll(request("GET", "/api/surface", "").Body)
	if err != nil || !strings.Contains(string(surface), `"name":"order"`) {
		t.Fatalf("the surface is %s, %v", surface, err)
	}
	events := json.NewDecoder(request("POST", "/api/call", `{"tool":"deliver","arguments":{},"wire":"elicit"}`).Body)
	line := ""
	for {
		var e struct {
			Event    string
			Text     string
			Error    string
			Question struct{ ID, Key string }
			Result   json.RawMessage
		}
		if err := events.Decode(&e); err != nil {
			t.Fatal(err)
		}
		switch e.Event {
		case "line":
			line = e.Text
		case "question":
			request("POST", "/api/answer", `{"id":"`+e.Question.ID+`","action":"decline"}`).Body.Close()
		case "result":
			if !strings.Contains(string(e.Result), "input_declined") {
				t.Errorf("got %s", e.Result)
			}
			if line != "jptoolgen call --timeout 20s --env 'MODE=a b' --env API_TOKEN=… --wire elicit - deliver -- kiosk" {
				t.Errorf("the command that repeats the call is %s", line)
			}
			return
		case "error":
			t.Fatal(e.Error)
		}
	}
}

func TestOptionsThatMayBeIgnored(t *testing.T) {
	request := openPage(t, serveKiosk(t))
	response := request("POST", "/api/call", `{"tool":"sale","arguments":{"id":"7"},"options":{"fast":true},"wire":"elicit"}`)
	events, err := io.ReadAll(response.Body)
	if err != nil || !strings.Contains(string(events), "note: over HTTP, --option and --root apply only if") {
		t.Errorf("got %s, %v", events, err)
	}
}

// The page reads resources and gets prompts, and answers their questions.
func TestOffersOnThePage(t *testing.T) {
	request := openPage(t, "--", "offering")
	surface, err := io.ReadAll(request("GET", "/api/surface", "").Body)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"kind":"resource","name":"note://{id}{?lang}"`, `"completes id"`, `"variable":"NOTES_NOTE_TOKEN"`, `"kind":"prompt","name":"summarize"`} {
		if !strings.Contains(string(surface), want) {
			t.Errorf("%s is not in %s", want, surface)
		}
	}
	for _, tc := range []struct{ body, want, line string }{
		{`{"kind":"resource","tool":"note://{id}{?lang}","arguments":{"id":"tea"},"options":{"size":3},"wire":"elicit"}`, `note://tea, told true, options {\"size\":3}`,
			`jptoolgen read --wire elicit --option size=3 --answer q=true - 'note://{id}{?lang}' id=tea -- offering`},
		{`{"kind":"prompt","tool":"summarize","arguments":{"id":"a","words":7}}`, `summarize{\"id\":\"a\",\"words\":\"7\"}, told true`, `jptoolgen prompt --answer q=true - summarize id=a words=7 -- offering`},
		{`{"kind":"resource","tool":"other://x","arguments":{}}`, `not_found: there is no resource other://x`, `jptoolgen read - other://x -- offering`},
		{`{"kind":"resource","tool":"other://y","arguments":{}}`, `unknown resource`, ""},
		{`{"kind":"prompt","tool":"summary","arguments":{}}`, `unknown prompt`, ""},
		{`{"kind":"prompt","tool":"summarize","arguments":{"id":"a"},"wire":"jp"}`, `the wire jp is only for tools`, ""},
	} {
		response := request("POST", "/api/call", tc.body)
		events, line, got := json.NewDecoder(response.Body), "", ""
		for got == "" {
			var e struct {
				Event, Text, Error string
				Question           struct{ ID string }
				Result             json.RawMessage
			}
			if err := events.Decode(&e); err != nil {
				t.Fatal(err)
			}
			switch e.Event {
			case "line":
				line = e.Text
			case "question":
				request("POST", "/api/answer", `{"id":"`+e.Question.ID+`","action":"accept","content":{"answer":true}}`).Body.Close()
			case "result", "error":
				got = string(e.Result) + e.Error
			}
		}
		response.Body.Close()
		if !strings.Contains(got, tc.want) || line != tc.line {
			t.Errorf("%s: got %s, line %s", tc.body, got, line)
		}
	}
}
