package engine_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jptool/jptool/sdk"
	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/sdk/tool"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

// A pier is a server whose notes change when the test says so.
type pier struct {
	*sdk.Server
	t        *testing.T
	changes  chan tool.Change[noteInput]
	watchers atomic.Int32
}

func newPier(t *testing.T) *pier {
	p := &pier{t: t, changes: make(chan tool.Change[noteInput])}
	contract := &manifest.Server{
		Format: 1, Name: "pier", Clients: manifest.JP, Unknown: manifest.Ignore, Tools: []manifest.Tool{},
		Resources: []manifest.Resource{{URI: "notes://about", Name: "about"}},
		Templates: []manifest.Resource{
			{URITemplate: "note://{id}", Name: "note", Watches: true,
				Input: manifest.Schema(`{"type":"object","properties":{"id":{"type":"string"}},"required":["id"]}`)},
		},
	}
	p.Server = sdk.NewServer(contract,
		handler.New("about", handler.Codec[handler.None, handler.None, handler.None, string]{Kind: handler.Resource, Result: handler.Text[string]},
			func(context.Context, *tool.Call, handler.None, handler.None, handler.None) (string, error) {
				return "", nil
			}),
		handler.New("note", handler.Codec[noteInput, handler.None, handler.None, string]{Kind: handler.Resource, Input: decodeNote, Result: handler.Text[string]},
			func(_ context.Context, _ *tool.Call, in noteInput, _, _ handler.None) (string, error) {
				return in.ID, nil
			}).
			Watched(handler.Watch(encodeNote, func(ctx context.Context) (iter.Seq[tool.Change[noteInput]], error) {
				return func(yield func(tool.Change[noteInput]) bool) {
					p.watchers.Add(1)
					defer p.watchers.Add(-1)
					for {
						select {
						case <-ctx.Done():
							return
						case c := <-p.changes:
							if !yield(c) {
								return
							}
						}
					}
				}, nil
			})))
	return p
}

func (p *pier) change(id string) {
	p.t.Helper()
	select {
	case p.changes <- tool.Change[noteInput]{Variables: noteInput{id}, List: id == ""}:
	case <-time.After(10 * time.Second):
		p.t.Fatalf("nobody watches for a change of %q", id)
	}
}

// quiet waits until no watcher runs.
func (p *pier) quiet() {
	p.t.Helper()
	for end := time.Now().Add(10 * time.Second); p.watchers.Load() > 0; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			p.t.Fatal("a watcher runs for nobody")
		}
	}
}

// A wire is a client that sends requests and receives messages.
type wire struct {
	t       *testing.T
	version string
	send    func(message string)
	lines   chan string // what the client receives on its main stream
	close   func()
}

// recv returns the next message, which must contain each of the texts.
func (w *wire) recv(texts ...string) string {
	w.t.Helper()
	select {
	case line, ok := <-w.lines:
		if !ok {
			w.t.Fatalf("the stream has ended; want %q", texts)
		}
		for _, text := range texts {
			if !strings.Contains(line, text) {
				w.t.Fatalf("got %s\nwant %q", line, texts)
			}
		}
		return line
	case <-time.After(10 * time.Second):
		w.t.Fatalf("no message; want %q", texts)
	}
	return ""
}

// call sends a request with an id and returns the response.
func (w *wire) call(id int, method, params string, texts ...string) string {
	w.t.Helper()
	w.ask(id, method, params)
	return w.recv(append([]string{fmt.Sprintf(`"id":%d`, id)}, texts...)...)
}

func (w *wire) ask(id int, method, params string) {
	w.send(strings.Replace(request(method, params, w.version), `"id":7`, fmt.Sprintf(`"id":%d`, id), 1))
}

func (p *pier) stdio(version string) *wire {
	p.t.Helper()
	ours, theirs := net.Pipe()
	w := &wire{t: p.t, version: version, lines: make(chan string, 10_000), close: func() { _ = ours.Close() }}
	served := make(chan error, 1)
	ctx, cancel := context.WithCancel(context.Background())
	go func() { served <- p.Serve(ctx, theirs, sdk.Options{Log: slog.New(slog.DiscardHandler)}) }()
	go pump(ours, w.lines, "")
	p.t.Cleanup(func() {
		cancel()
		<-served
		_ = ours.Close()
	})
	w.send = func(message string) {
		p.t.Helper()
		if _, err := io.WriteString(ours, message+"\n"); err != nil {
			p.t.Fatal(err)
		}
	}
	if version != "2026-07-28" {
		w.send(fmt.Sprintf(opening, version))
		w.recv(`"resources":{"listChanged":true,"subscribe":true}`)
		w.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	}
	return w
}

// pump sends the lines with a prefix.
func pump(from io.Reader, to chan<- string, prefix string) {
	defer close(to)
	lines := bufio.NewScanner(from)
	lines.Buffer(nil, 32<<20)
	for lines.Scan() {
		if text, ok := strings.CutPrefix(lines.Text(), prefix); ok && strings.TrimSpace(text) != "" {
			to <- text
		}
	}
}

// A host serves a pier over HTTP.
type host struct {
	*pier
	url string
	end context.CancelFunc
}

func (p *pier) http(o sdk.Options, h sdk.HTTPOptions) *host {
	p.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	o.Log = slog.New(slog.DiscardHandler)
	handler, err := p.Handler(ctx, o, h)
	if err != nil {
		p.t.Fatal(err)
	}
	server := httptest.NewServer(handler)
	p.t.Cleanup(func() { cancel(); server.Close() })
	return &host{p, server.URL, cancel}
}

// post sends a message and returns the response, whose body streams.
func (h *host) post(body string, header ...string) *http.Response {
	h.t.Helper()
	return h.do(http.MethodPost, body, header...)
}

func (h *host) do(method, body string, header ...string) *http.Response {
	h.t.Helper()
	req, err := http.NewRequestWithContext(h.t.Context(), method, h.url, strings.NewReader(body))
	if err != nil {
		h.t.Fatal(err)
	}
	req.Header = http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"}}
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		h.t.Fatal(err)
	}
	return resp
}

// session opens a session whose standalone stream is connected.
func (h *host) session() *wire {
	h.t.Helper()
	const version = "2025-11-25"
	resp := h.post(fmt.Sprintf(opening, version))
	data, _ := io.ReadAll(resp.Body)
	resp.Body.Close()
	if !strings.Contains(string(data), `"resources":{"listChanged":true,"subscribe":true}`) {
		h.t.Errorf("initialize: %s", data)
	}
	header := []string{"Mcp-Session-Id", resp.Header.Get("Mcp-Session-Id"), "Mcp-Protocol-Version", version}
	h.post(`{"jsonrpc":"2.0","method":"notifications/initialized"}`, header...).Body.Close()
	w := &wire{t: h.t, version: version, lines: make(chan string, 10_000)}
	w.send = func(message string) {
		resp := h.post(message, header...)
		defer resp.Body.Close()
		data, err := io.ReadAll(resp.Body)
		if err != nil {
			h.t.Error(err)
		}
		w.lines <- string(data)
	}
	w.close = func() { h.do(http.MethodDelete, "", header...).Body.Close() }
	h.connect(w, header)
	return w
}

// connect opens the standalone stream of a session.
func (h *host) connect(w *wire, header []string) {
	h.t.Helper()
	stream := h.do(http.MethodGet, "", header...)
	h.t.Cleanup(func() { _ = stream.Body.Close() })
	from := make(chan string)
	go pump(stream.Body, from, "data: ")
	go func() {
		for line := range from {
			w.lines <- line
		}
	}()
}

// listen opens a subscription in a request of its own.
func (h *host) listen(id int, filter string) *wire {
	h.t.Helper()
	const version = "2026-07-28"
	body := strings.Replace(request("subscriptions/listen", `"notifications":`+filter, version), `"id":7`, fmt.Sprintf(`"id":%d`, id), 1)
	resp := h.post(body, "Mcp-Protocol-Version", version, "Mcp-Method", "subscriptions/listen")
	w := &wire{t: h.t, version: version, lines: make(chan string, 10_000), close: func() { _ = resp.Body.Close() }}
	h.t.Cleanup(w.close)
	prefix := "data: "
	if !strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream") {
		prefix = ""
	}
	go pump(resp.Body, w.lines, prefix)
	return w
}
