// Package posts makes an HTTP server available over stdio, for drivers that support only lines. Each
// line is sent unchanged as the body of a POST, and each message of the response, JSON or an event, is written
// as a line.
//
// If a line can be parsed, the bridge sends it in the session and with the header fields of a client that would
// send this message. If a body is not a JSON-RPC request, a server may respond with only a status, for which the
// bridge writes a JSON-RPC error. If a server responds to a request in this way, the bridge writes a line that is
// not JSON, so the driver fails. Other responses are written unchanged. As the specification requires of clients,
// the bridge ignores the response to a request that was canceled.
package posts

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/jptool/jptool/bench/internal/drive"
	"github.com/jptool/jptool/bench/internal/request"
)

// life is the maximum lifetime of a server.
const life = 10 * time.Minute

// maxConns is the maximum number of concurrent requests. Further requests wait.
const maxConns = 1200

// A bridge connects a server with its driver.
type bridge struct {
	ctx     context.Context
	client  *http.Client
	running sync.WaitGroup
	// template is a POST without a body.
	template *http.Request
	session  string // written only by the reader of lines
	// last is the last line that could be parsed. Lines that cannot be parsed are sent with the header
	// fields for this line.
	last message

	mu       sync.Mutex
	out      io.Writer
	waiting  map[string]*pendingRequest // the pending requests, keyed by id
	lost     error
	loseOnce sync.Once
	lose     context.CancelFunc
}

// Run runs a command that serves HTTP until the input has ended and all requests have a response,
// or until the server has exited.
func Run(ctx context.Context, command []string, in io.Reader, out io.Writer) error {
	s, err := drive.Serve(command, nil, life)
	if err != nil {
		return err
	}
	defer s.Kill()
	ctx, lose := context.WithCancel(ctx)
	defer lose()
	transport := &http.Transport{MaxConnsPerHost: maxConns, MaxIdleConnsPerHost: maxConns, DisableCompression: true}
	template, err := http.NewRequest(http.MethodPost, "http://"+s.Host+s.Path, nil)
	if err != nil {
		return err
	}
	b := &bridge{
		ctx: ctx, template: template, client: &http.Client{Transport: transport},
		out: out, waiting: map[string]*pendingRequest{}, lose: lose,
	}
	lines := make(chan []byte)
	go b.read(in, lines)
	for open := true; open; {
		var line []byte
		select {
		case line, open = <-lines:
			if open {
				b.take(line)
			}
		case <-b.ctx.Done():
			open = false
		}
	}
	b.running.Wait()
	if b.lost != nil {
		return b.lost
	}
	b.endSession()
	_, err = s.Close()
	return err
}

// read sends the lines of a reader until its end. A read that does not return after the server has exited is
// abandoned.
func (b *bridge) read(in io.Reader, to chan<- []byte) {
	defer close(to)
	for lines := bufio.NewReaderSize(in, 64<<10); ; {
		line, err := lines.ReadBytes('\n')
		if err != nil && len(line) == 0 {
			return
		}
		select {
		case to <- bytes.TrimSuffix(line, []byte("\n")):
		case <-b.ctx.Done():
			return
		}
	}
}

// A pendingRequest is a request that has no response yet.
type pendingRequest struct {
	hangUp   context.CancelFunc
	canceled bool
}

// take sends a line. A request does not delay the lines after it. Other messages, and requests that open a
// session, are finished before the next line is sent.
func (b *bridge) take(line []byte) {
	m := parse(line)
	if m.method == "notifications/cancelled" && b.cancel(m) {
		return
	}
	if m.unreadable {
		m.version, m.method, m.name = b.last.version, b.last.method, b.last.name
	}
	if !m.request || m.method == "initialize" {
		if session := b.exchange(b.post(b.ctx, line, m), m, nil); session != "" {
			b.session = session
		}
		return
	}
	b.last = m
	ctx, cancel := context.WithCancel(b.ctx)
	w := &pendingRequest{hangUp: cancel}
	b.mu.Lock()
	b.waiting[m.id] = w
	b.mu.Unlock()
	req := b.post(ctx, line, m)
	b.running.Go(func() {
		defer cancel()
		b.exchange(req, m, w)
	})
}

// cancel records that a request is canceled, and reports whether the line needs no POST: a client that uses 2026-07-28
// cancels by closing the connection.
func (b *bridge) cancel(m message) bool {
	modern := b.last.version >= string(request.Requests)
	b.mu.Lock()
	defer b.mu.Unlock()
	if w := b.waiting[m.cancels]; w != nil {
		w.canceled = true
		if modern {
			w.hangUp()
		}
	}
	return modern
}

// post returns the POST request for a line.
func (b *bridge) post(ctx context.Context, line []byte, m message) *http.Request {
	r := b.template.Clone(ctx)
	r.Body, r.ContentLength = http.NoBody, int64(len(line))
	if len(line) > 0 {
		r.Body = io.NopCloser(bytes.NewReader(line))
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	switch {
	case m.version >= string(request.Requests):
		r.Header.Set("MCP-Protocol-Version", m.version)
		r.Header.Set("Mcp-Method", headerValue(m.method))
		if m.name != "" {
			r.Header.Set("Mcp-Name", headerValue(m.name))
		}
	case m.method == "initialize":
	case b.session != "":
		r.Header.Set("MCP-Protocol-Version", string(request.Sessions))
		r.Header.Set(request.SessionHeader, b.session)
	case b.last.version != "":
		r.Header.Set("MCP-Protocol-Version", b.last.version)
	}
	return r
}

// exchange sends a request, writes the messages of the response, and returns the id of the session that was
// opened, if any.
func (b *bridge) exchange(r *http.Request, m message, w *pendingRequest) (session string) {
	resp, err := b.client.Do(r)
	if err != nil {
		b.fail(r.Context(), err)
		return ""
	}
	defer resp.Body.Close()
	if strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream") {
		err = b.events(resp.Body, w)
	} else {
		err = b.writeBody(resp, m, w)
	}
	if err != nil {
		b.fail(r.Context(), err)
	}
	return resp.Header.Get(request.SessionHeader)
}

// fail records that the server has exited, unless the bridge canceled the request.
func (b *bridge) fail(ctx context.Context, err error) {
	if ctx.Err() != nil {
		return
	}
	b.loseOnce.Do(func() { b.lost = fmt.Errorf("the server exited: %w", err) })
	b.lose()
}

// maxBody is the maximum size of a body.
const maxBody = 64 << 20

// writeBody writes a body that is not a stream.
func (b *bridge) writeBody(resp *http.Response, m message, w *pendingRequest) error {
	text, err := io.ReadAll(io.LimitReader(resp.Body, maxBody))
	if err != nil {
		return err
	}
	text = bytes.TrimSpace(text)
	var line bytes.Buffer
	switch {
	case len(text) == 0 && resp.StatusCode < 300:
		return nil
	case json.Compact(&line, text) == nil && bytes.Contains(text, []byte(`"jsonrpc"`)):
	case m.request:
		fmt.Fprintf(&line, "HTTP %s: %s", resp.Status, bytes.ReplaceAll(text, []byte("\n"), []byte(" ")))
	default:
		fmt.Fprintf(&line, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32600,"message":%q}}`, m.id, "HTTP "+resp.Status)
	}
	return b.write(line.Bytes(), w)
}

// events writes the messages of a stream.
func (b *bridge) events(stream io.Reader, w *pendingRequest) error {
	lines := bufio.NewReaderSize(stream, 64<<10)
	var data []byte
	for {
		line, err := lines.ReadBytes('\n')
		line = bytes.TrimRight(line, "\r\n")
		if text, ok := bytes.CutPrefix(line, []byte("data:")); ok {
			data = append(data, bytes.TrimPrefix(text, []byte(" "))...)
		}
		if len(line) == 0 && len(data) > 0 {
			if err := b.write(data, w); err != nil {
				return err
			}
			data = data[:0]
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// write writes a message, unless it belongs to a canceled request w; w may be nil.
func (b *bridge) write(line []byte, w *pendingRequest) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if w != nil && w.canceled {
		return nil
	}
	_, err := b.out.Write(append(line, '\n'))
	return err
}

// endSession closes the session, if there is one.
func (b *bridge) endSession() {
	if b.session == "" {
		return
	}
	r := b.template.Clone(b.ctx)
	r.Method = http.MethodDelete
	r.Header.Set(request.SessionHeader, b.session)
	if resp, err := b.client.Do(r); err == nil {
		resp.Body.Close()
	}
}
