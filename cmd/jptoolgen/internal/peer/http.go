package peer

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
)

// A remote is a transport over MCP's streamable HTTP: a POST for each message, answered by JSON or by
// a stream of events (MCP 2025-11-25, Transports).
type remote struct {
	url    string
	client *http.Client
	header http.Header
	limits Limits

	ctx     context.Context // ends with the connection
	cancel  context.CancelFunc
	packets chan packet
	tasks   sync.WaitGroup

	mu               sync.Mutex
	session, version string
}

func newRemote(url string, header http.Header, l Limits) *remote {
	ctx, cancel := context.WithCancel(context.Background())
	return &remote{
		url: url, header: header, limits: l, ctx: ctx, cancel: cancel, packets: make(chan packet),
		// Headers may hold a secret of the user, which is for the address they typed.
		client: &http.Client{CheckRedirect: func(to *http.Request, _ []*http.Request) error {
			return fmt.Errorf("it redirects to %s: type that address, if you trust it", to.URL.Redacted())
		}},
	}
}

func (r *remote) received() <-chan packet { return r.packets }

func (r *remote) agreed(version string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.version = version
}

func (r *remote) send(ctx context.Context, m request) error {
	if m.answered {
		// The stream may bring questions whose answers are sent while it is open.
		r.tasks.Go(func() {
			if err := r.post(r.ctx, m); err != nil {
				r.deliver(packet{err: err, id: m.id})
			}
		})
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, r.limits.Silence)
	defer cancel()
	return r.post(ctx, m)
}

func (r *remote) deliver(p packet) bool {
	select {
	case r.packets <- p:
		return true
	case <-r.ctx.Done():
		return false
	}
}

func (r *remote) post(ctx context.Context, m request) error {
	req, err := r.request(ctx, http.MethodPost, bytes.NewReader(m.data))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	if req.Header.Get("Mcp-Protocol-Version") == Rounds {
		req.Header.Set("Mcp-Method", m.method)
		if m.name != "" {
			req.Header.Set("Mcp-Name", m.name)
		}
	}
	resp, err := r.client.Do(req)
	if err != nil {
		if failed, ok := errors.AsType[*url.Error](err); ok {
			err = failed.Err // without the address, which may hold a secret
		}
		return &lost{fmt.Errorf("the server cannot be reached: %w", err)}
	}
	defer func() { _ = resp.Body.Close() }() // all of it that counts has been read
	if id := resp.Header.Get("Mcp-Session-Id"); id != "" {
		r.mu.Lock()
		r.session = id
		r.mu.Unlock()
	}
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	switch {
	case kind == "text/event-stream" && resp.StatusCode < 300:
		return r.events(resp.Body, m)
	case kind == "application/json":
		return r.document(resp, m.answered)
	case resp.StatusCode >= 300:
		return refused(resp.StatusCode)
	case m.answered:
		return fmt.Errorf("%w: a %s of type %q", ErrMalformed, resp.Status, kind)
	}
	return nil
}

func (r *remote) request(ctx context.Context, method string, body io.Reader) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, method, r.url, body)
	if err != nil {
		return nil, err
	}
	for name, values := range r.header {
		req.Header[name] = values
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.session != "" {
		req.Header.Set("Mcp-Session-Id", r.session)
	}
	if r.version != "" {
		req.Header.Set("Mcp-Protocol-Version", r.version)
	}
	return req, nil
}

// A lost server is one that has ended, as far as can be seen from here.
type lost struct{ error }

func (e *lost) Is(target error) bool { return target == ErrEnded }
func (e *lost) Unwrap() error        { return e.error }

// refused says what a status means to the person who typed the address.
func refused(status int) error {
	hint := ""
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden:
		hint = `; if it wants a token, add --header 'Authorization: Bearer ${TOKEN}'`
	case http.StatusNotFound, http.StatusMethodNotAllowed:
		hint = "; an MCP server often has a path, such as /mcp"
	}
	return &lost{fmt.Errorf("the server answers with status %d %s%s", status, http.StatusText(status), hint)}
}

// document delivers a body of JSON. An error of the protocol comes with a status of its own.
func (r *remote) document(resp *http.Response, wanted bool) error {
	data, err := io.ReadAll(io.LimitReader(resp.Body, int64(r.limits.Message)+1))
	switch {
	case err != nil:
		return fmt.Errorf("%w: %w", ErrEnded, err)
	case len(data) > r.limits.Message:
		return fmt.Errorf("%w: a message of more than %s", ErrTooMuch, size(r.limits.Message))
	}
	m, err := readMessage(data, r.limits.Depth)
	if resp.StatusCode >= 300 && (err != nil || m.Error == nil) {
		return refused(resp.StatusCode)
	}
	if wanted && !r.deliver(packet{data: data}) {
		return r.ctx.Err()
	}
	return nil
}

// events delivers the data of server-sent events, until the stream ends (HTML, Server-sent events).
func (r *remote) events(body io.Reader, m request) error {
	in := bufio.NewReaderSize(body, 64<<10)
	var data []byte
	for {
		line, err := readLine(in, r.limits.Message)
		switch {
		case errors.Is(err, ErrEnded):
			if m.answered {
				r.deliver(packet{err: errStreamEnded, id: m.id})
			}
			return nil
		case err != nil:
			return err
		}
		line = bytes.TrimSuffix(line, []byte("\r"))
		if value, ok := bytes.CutPrefix(line, []byte("data:")); ok {
			if len(data) > 0 {
				data = append(data, '\n')
			}
			data = append(data, bytes.TrimPrefix(value, []byte(" "))...)
			if len(data) > r.limits.Message {
				return fmt.Errorf("%w: a message of more than %s", ErrTooMuch, size(r.limits.Message))
			}
			continue
		}
		if len(line) == 0 && len(data) > 0 {
			if !r.deliver(packet{data: data}) {
				return nil
			}
			data = nil
		}
	}
}

// errStreamEnded says that one answer will not come; the server may live on.
var errStreamEnded = fmt.Errorf("%w: its stream of events ended", ErrEnded)

func (r *remote) close() error {
	r.cancel()
	r.tasks.Wait()
	r.mu.Lock()
	session := r.session
	r.mu.Unlock()
	if session == "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), min(r.limits.Grace, 2*time.Second))
	defer cancel()
	req, err := r.request(ctx, http.MethodDelete, strings.NewReader(""))
	if err != nil {
		return err
	}
	// A server need not let its sessions be ended, so nothing hangs on it.
	if resp, err := r.client.Do(req); err == nil {
		_ = resp.Body.Close()
	}
	return nil
}
