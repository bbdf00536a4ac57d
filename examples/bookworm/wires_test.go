package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/jptool/jptool/examples/bookworm/internal/crates"
	"github.com/jptool/jptool/examples/bookworm/internal/library"
	"github.com/jptool/jptool/sdk/elicit"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/jp/host"
	"github.com/jptool/jptool/sdk/jp/wire"
)

// A party is the user at the other end of a wire: what the answers are, and what was
// asked.
type party struct {
	t       *testing.T
	sandbox sandbox
	answers map[string]string // as JSON, by the id or a part of the question
	asked   []string
}

// answer returns the answer to a question. Nothing may have been downloaded yet.
func (p *party) answer(id, text string) string {
	p.t.Helper()
	for key, answer := range p.answers {
		if id == key || id == "" && strings.Contains(text, phrases[key]) {
			p.asked = append(p.asked, key)
			if n := p.sandbox.Count("GET", "/download"); n > 0 {
				p.t.Errorf("%d downloads before the answer to %q", n, text)
			}
			return answer
		}
	}
	p.t.Errorf("there is no answer to question %q: %s", id, text)
	return "null"
}

// phrases tell questions apart where a wire does not carry their ids.
var phrases = map[string]string{"confirm-fetch": "Download the documentation of", "pick-version": "Which version", "pick-crate": "Which one is meant"}

// ask is what the user says who sits at a JP host.
func (p *party) ask(_ context.Context, q wire.Question) (json.RawMessage, error) {
	return json.RawMessage(p.answer(q.ID, q.Text)), nil
}

const arguments = `{"crate_name":"tea_time","crate_version":"9.9.9","query":"Teapot"}`

// flags have every download asked about.
var flags = []string{"mcp", "--option", "crate_search_items.confirm_above_bytes=1000"}

// wires run crate_search_items and return the text of its result, or the code of its
// fault.
var wires = map[string]func(t *testing.T, p *party) (text, code string){
	"JP outcome": func(t *testing.T, p *party) (string, string) {
		return jp(t, p, host.Options{}, "--jp")
	},
	"JP outcome, RFD 082": func(t *testing.T, p *party) (string, string) {
		return jp(t, p, host.Options{Codec: wire.RFD082()}, "--jp=outcome-082")
	},
	"JP local tool": func(t *testing.T, p *party) (string, string) {
		cmd := p.sandbox.command(t, append(flags, "call", "crate_search_items", "{{tool}}", "{{context}}")...)
		l := host.Local{Name: "crate_search_items", Command: cmd.Args, Env: cmd.Env, Options: host.Options{Root: t.TempDir()}}
		reply, err := l.Call(context.Background(), json.RawMessage(arguments), p.ask)
		return read(t, reply, err)
	},
	"JP blocks":       blocks,
	"MCP rounds":      func(t *testing.T, p *party) (string, string) { return client(t, p, "2026-07-28") },
	"MCP elicitation": func(t *testing.T, p *party) (string, string) { return client(t, p, "2025-11-25") },
	"HTTP":            overHTTP,
	"in process":      inProcess,
}

// The whole flow of questions is the same on every wire, and nothing is downloaded
// before its end.
func TestQuestionsOnEveryWire(t *testing.T) {
	for name, run := range wires {
		t.Run(name+", no", func(t *testing.T) {
			t.Parallel()
			p := &party{t: t, sandbox: newSandbox(t), answers: map[string]string{"pick-crate": `"tea-time"`, "pick-version": `"1.1.0"`, "confirm-fetch": "false"}}
			if text, code := run(t, p); code != string(fault.InputDeclined) {
				t.Errorf("%q %.300s", code, text)
			}
			if n := p.sandbox.Count("GET", "/download"); n != 0 {
				t.Errorf("%d downloads", n)
			}
			p.wantAsked("pick-crate pick-version confirm-fetch")
		})
		t.Run(name+", yes", func(t *testing.T) {
			t.Parallel()
			p := &party{t: t, sandbox: newSandbox(t), answers: map[string]string{"pick-crate": `"tea-time"`, "pick-version": `"1.1.0"`, "confirm-fetch": "true"}}
			text, code := run(t, p)
			if code != "" || !strings.Contains(text, "<path>tea_time::Teapot</path>") || !strings.Contains(text, "Version 1.1.0 was used.") {
				t.Errorf("%q %.300s", code, text)
			}
			if n := p.sandbox.Count("GET", "/crate/tea-time/1.1.0/download"); n != 1 {
				t.Errorf("%d downloads", n)
			}
			p.wantAsked("pick-crate pick-version confirm-fetch")
		})
	}
}

func (p *party) wantAsked(want string) {
	p.t.Helper()
	if got := strings.Join(p.asked, " "); got != want {
		p.t.Errorf("asked %q, want %q", got, want)
	}
}

// Where nobody can be asked the defaults are used, and the answer says so.
func TestNobodyToAsk(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"2026-07-28", "2025-11-25", "2024-11-05"} {
		p := &party{t: t, sandbox: newSandbox(t)}
		text, code := result(t, connect(t, version, nil, &mcp.CommandTransport{Command: p.sandbox.command(t, flags...)}), nil)
		if code != "" || !strings.Contains(text, "The crate is called tea-time.") || !strings.Contains(text, "Version 1.2.0 was used.") || !strings.Contains(text, "tea_time::Teapot") {
			t.Errorf("%s: %q %.300s", version, code, text)
		}
		if n := p.sandbox.Count("GET", "/crate/tea-time/1.2.0/download"); n != 1 {
			t.Errorf("%s: %d downloads", version, n)
		}
	}
}

func jp(t *testing.T, p *party, o host.Options, flag string) (string, string) {
	reply, err := start(t, o, p.sandbox.command(t, append(flags, flag)...)).Call(context.Background(), "crate_search_items", json.RawMessage(arguments), p.ask)
	return read(t, reply, err)
}

func read(t *testing.T, r host.Reply, err error) (text, code string) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	if r.Kind == host.OK {
		return r.Text, ""
	}
	code, _, _ = strings.Cut(r.Text, ":")
	if r.Outcome != nil {
		code, _, _ = strings.Cut(r.Outcome.Message, ":")
	}
	return r.Text, code
}

// client asks its user by MCP's elicitation.
func client(t *testing.T, p *party, version string) (string, string) {
	return clientOver(t, p, version, &mcp.CommandTransport{Command: p.sandbox.command(t, flags...)})
}

func clientOver(t *testing.T, p *party, version string, transport mcp.Transport) (string, string) {
	ask := func(_ context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
		var answer any
		if err := json.Unmarshal([]byte(p.answer("", r.Params.Message)), &answer); err != nil {
			return nil, err
		}
		return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"answer": answer}}, nil
	}
	return result(t, connect(t, version, &mcp.ClientOptions{ElicitationHandler: ask}, transport), nil)
}

func connect(t *testing.T, version string, o *mcp.ClientOptions, transport mcp.Transport) *mcp.ClientSession {
	t.Helper()
	c := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, o)
	session, err := c.Connect(t.Context(), transport, &mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := session.Close(); err != nil {
			t.Logf("the session ended with %v", err)
		}
	})
	return session
}

// overHTTP is a client that asks its user, of a server that says in its log where it is.
func overHTTP(t *testing.T, p *party) (string, string) {
	p.sandbox.env = append(p.sandbox.env, "WRM_LOG=info")
	cmd := p.sandbox.command(t, append(flags, "--http", "127.0.0.1:0")...)
	log, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // it was killed
	}()
	lines := bufio.NewScanner(log)
	address := regexp.MustCompile(`http://127\.0\.0\.1:\d+/mcp`)
	for lines.Scan() {
		if endpoint := address.FindString(lines.Text()); endpoint != "" {
			go func() { _, _ = io.Copy(io.Discard, log) }() // until the process ends
			return clientOver(t, p, "2026-07-28", &mcp.StreamableClientTransport{Endpoint: endpoint})
		}
	}
	t.Fatal("the server does not say where it is")
	return "", ""
}

// result calls the tool and joins the texts of its blocks.
func result(t *testing.T, session *mcp.ClientSession, meta mcp.Meta) (text, code string) {
	t.Helper()
	r, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "crate_search_items", Arguments: json.RawMessage(arguments), Meta: meta})
	if err != nil {
		t.Fatal(err)
	}
	for _, block := range r.Content {
		switch b := block.(type) {
		case *mcp.TextContent:
			text += b.Text
		case *mcp.EmbeddedResource:
			text += b.Resource.Text
		}
	}
	if r.IsError {
		code, _, _ = strings.Cut(text, ":")
	}
	return text, code
}

// blocks speaks JP's content blocks, which keep answers in the host.
func blocks(t *testing.T, p *party) (string, string) {
	session := connect(t, "2025-11-25", nil, &mcp.CommandTransport{Command: p.sandbox.command(t, append(flags, "--jp=blocks")...)})
	answers := map[string]any{}
	for range 5 {
		text, _ := result(t, session, mcp.Meta{wire.MetaTool: map[string]any{"answers": answers}})
		d, problems := wire.ReadBlocks([]byte(text))
		if len(problems) > 0 || len(d.Content) == 0 {
			t.Fatalf("the document %.300s has %v", text, problems)
		}
		last := d.Content[len(d.Content)-1]
		switch {
		case d.IsError:
			return text, d.Error.Code
		case last.Type != wire.BlockQuestion:
			return text, ""
		}
		answers[last.Question.ID] = json.RawMessage(p.answer(last.Question.ID, last.Question.Text))
	}
	t.Fatal("it asks on and on")
	return "", ""
}

func inProcess(t *testing.T, p *party) (string, string) {
	l, err := library.Open(library.Config{CratesIO: p.sandbox.URL, DocsRS: p.sandbox.URL, Cache: p.sandbox.cache(), Fresh: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	got, err := crates.CallSearchItems(t.Context(), &crates.Crates{Library: l},
		crates.SearchItemsInput{CrateName: "tea_time", CrateVersion: "9.9.9", Query: "Teapot"},
		crates.DocsOptions{ConfirmAboveBytes: 1000, MaxResponseBytes: 1 << 18, AskVersion: true}, elicitor{p})
	var f *fault.Error
	if errors.As(err, &f) {
		return f.Message, string(f.Code)
	}
	return got.Flatten(), ""
}

// elicitor answers in the same process.
type elicitor struct{ p *party }

func (e elicitor) PickCrate(_ context.Context, r elicit.Request) (elicit.Response[string], error) {
	return pick(e.p.answer("pick-crate", r.Message))
}

func (e elicitor) PickVersion(_ context.Context, r elicit.Request) (elicit.Response[string], error) {
	return pick(e.p.answer("pick-version", r.Message))
}

func (e elicitor) ConfirmFetch(_ context.Context, r elicit.Request) (elicit.Response[bool], error) {
	return elicit.Accepted(e.p.answer("confirm-fetch", r.Message) == "true"), nil
}

func pick(answer string) (elicit.Response[string], error) {
	var text string
	if err := json.Unmarshal([]byte(answer), &text); err != nil {
		return elicit.Response[string]{}, fmt.Errorf("%s: %w", answer, err)
	}
	return elicit.Accepted(text), nil
}
