package peer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/jptool/jptool/internal/lazyregexp"
)

const (
	// lingering is the time for which a stream may stay open after it has delivered its response.
	lingering = 100 * time.Millisecond
	// opening is the maximum time that a call waits for the server to open the stream of the server's own
	// requests.
	opening = time.Second
	// pausing is the default pause before a stream is reopened.
	pausing = time.Second
)

// A remote is a transport over MCP's Streamable HTTP. Each message is a POST request, and the response is JSON or
// a stream of events. Servers of older versions also have sessions, and a separate stream for their own messages
// (MCP 2025-11-25, Transports).
type remote struct {
	url    string
	client *http.Client
	header http.Header
	token  func(context.Context) (string, error)
	limits Limits

	ctx       context.Context // canceled when the connection is closed
	cancel    context.CancelFunc
	packets   chan packet
	tasks     sync.WaitGroup
	listening context.CancelFunc // ends the separate stream; nil if it is not open

	mu               sync.Mutex
	session, version string
}

func newRemote(url string, header http.Header, token func(context.Context) (string, error), l Limits) *remote {
	ctx, cancel := context.WithCancel(context.Background())
	return &remote{
		url: url, header: header, token: token, limits: l, ctx: ctx, cancel: cancel, packets: make(chan packet),
		client: &http.Client{CheckRedirect: checkRedirect},
	}
}

// withoutSecret returns a URL without its user information and its query, which may contain a secret.
func withoutSecret(u *url.URL) string { return u.Scheme + "://" + u.Host + u.EscapedPath() }

func (r *remote) incoming() <-chan packet { return r.packets }
func (r *remote) isHTTP() bool            { return true }

func (r *remote) setVersion(version string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.version = version
}

// negotiatedVersion returns the negotiated version, or "" if it is not known yet.
func (r *remote) negotiatedVersion() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.version
}

func (r *remote) send(ctx context.Context, m request) error {
	if m.answered {
		// The stream may contain questions, and their answers must be sent while it is open.
		r.tasks.Go(func() { r.exchange(ctx, m) })
		return nil
	}
	if r.negotiatedVersion() == Rounds {
		return nil // this version sends only requests over HTTP; closing the connection cancels a request
	}
	ctx, cancel := context.WithTimeout(ctx, r.limits.Silence)
	defer cancel()
	return r.post(ctx, ctx, m)
}

// exchange posts a request and delivers the messages that it receives, until waiting is done.
func (r *remote) exchange(waiting context.Context, m request) {
	ctx, cancel := context.WithCancel(r.ctx)
	defer cancel()
	// A stream ends by itself after its response, and its connection can then be reused.
	defer context.AfterFunc(waiting, func() { time.AfterFunc(lingering, cancel) })()
	if err := r.post(ctx, waiting, m); err != nil {
		r.deliver(waiting, packet{err: err, id: m.id})
	}
}

// deliver passes a packet to the session. It reports whether the session received the packet.
func (r *remote) deliver(waiting context.Context, p packet) bool {
	select {
	case r.packets <- p:
		return true
	case <-waiting.Done():
		return false
	case <-r.ctx.Done():
		return false
	}
}

func (r *remote) post(ctx, waiting context.Context, m request) error {
	req, err := r.request(ctx, http.MethodPost, m.data)
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	modern := req.Header.Get("Mcp-Protocol-Version") == Rounds
	if modern {
		req.Header.Set("Mcp-Method", m.method)
		if m.name != "" {
			req.Header.Set("Mcp-Name", headerValue(m.name))
		}
		for name, value := range m.mirrored {
			req.Header.Set(name, value)
		}
	}
	resp, err := r.do(req)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }() // the relevant part has been read
	if id := resp.Header.Get("Mcp-Session-Id"); id != "" && !modern {
		r.mu.Lock()
		r.session = id
		r.mu.Unlock()
	}
	kind := mediaType(resp)
	if resp.StatusCode == http.StatusNotFound && !modern && req.Header.Get("Mcp-Session-Id") != "" {
		return r.lost(resp)
	}
	switch {
	case kind == eventStream && resp.StatusCode < 300 && m.answered:
		s := &stream{remote: r, waiting: waiting, pause: pausing, final: modern}
		return s.follow(ctx, resp.Body)
	case kind == "application/json" && !isChallenge(resp):
		return r.document(waiting, resp, m)
	case resp.StatusCode >= 300:
		return newStatusError(resp)
	case m.answered:
		return fmt.Errorf("%w: response %q of type %q", ErrMalformed, resp.Status, kind)
	}
	return nil
}

const eventStream = "text/event-stream"

func mediaType(resp *http.Response) string {
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type")) // kind is "" if the header is invalid
	return kind
}

// do sends a request. Its error does not contain the URL, which may contain a secret.
func (r *remote) do(req *http.Request) (*http.Response, error) {
	resp, err := r.client.Do(req)
	if err == nil {
		return resp, nil
	}
	if failed, ok := errors.AsType[*url.Error](err); ok {
		err = failed.Err
	}
	return nil, &lostConnection{fmt.Errorf("the server cannot be reached: %w", err)}
}

func (r *remote) request(ctx context.Context, method string, body []byte) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, method, r.url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	for name, values := range r.header {
		req.Header[name] = values
	}
	if r.token != nil {
		token, err := r.token(ctx)
		if err != nil {
			return nil, err
		}
		req.Header.Set("Authorization", "Bearer "+token)
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

// get opens a stream of the server. If last is not "", the stream starts after the event with that id.
func (r *remote) get(ctx context.Context, last string) (io.ReadCloser, error) {
	req, err := r.request(ctx, http.MethodGet, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", eventStream)
	if last != "" {
		req.Header.Set("Last-Event-Id", last)
	}
	resp, err := r.do(req)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode >= 300 || mediaType(resp) != eventStream {
		_ = resp.Body.Close()
		return nil, newStatusError(resp)
	}
	return resp.Body, nil
}

// listen opens the stream on which a server that uses an older version sends messages that do not belong to a response,
// such as the questions of a tool. Not every server has such a stream.
func (r *remote) listen(ctx context.Context) {
	if r.listening != nil || r.negotiatedVersion() == Rounds {
		return
	}
	streaming, cancel := context.WithCancel(r.ctx)
	r.listening = cancel
	opened := make(chan struct{})
	r.tasks.Go(func() {
		defer cancel()
		body, err := r.get(streaming, "")
		close(opened)
		if err != nil {
			return
		}
		s := &stream{remote: r, waiting: streaming, pause: pausing, lasting: true}
		if err := s.follow(streaming, body); errors.Is(err, ErrTooMuch) {
			r.deliver(streaming, packet{err: err})
		}
	})
	timer := time.NewTimer(min(opening, r.limits.Silence))
	defer timer.Stop()
	select {
	case <-opened:
	case <-timer.C: // some servers send nothing before the first event
	case <-ctx.Done():
	}
}

// A lostConnection is the error of a failed connection. [errors.Is] treats it as [ErrEnded].
type lostConnection struct{ error }

func (e *lostConnection) Is(target error) bool { return target == ErrEnded }
func (e *lostConnection) Unwrap() error        { return e.error }

// A statusError is an HTTP response without a message.
type statusError struct {
	status int
	// scopes holds the additional scopes that a request needs, or "" if the server does not name them (RFC 6750,
	// section 3.1).
	scopes string
}

// insufficient matches a challenge that asks for a token with other scopes.
var insufficient = lazyregexp.New(`(?i)^bearer .*\berror="?insufficient_scope"?`)

// scope matches the scopes of a challenge. It excludes characters that a shell would interpret.
var scope = lazyregexp.New(`\bscope="([A-Za-z0-9_:./ -]+)"`)

// isChallenge reports whether the server asks for other credentials (RFC 9110, section 11.6.1), even if it does so
// in JSON.
func isChallenge(resp *http.Response) bool {
	return resp.StatusCode == http.StatusUnauthorized || resp.StatusCode == http.StatusForbidden && resp.Header.Get("WWW-Authenticate") != ""
}

func newStatusError(resp *http.Response) error {
	e := &statusError{status: resp.StatusCode}
	challenge := resp.Header.Get("WWW-Authenticate")
	if m := scope().FindStringSubmatch(challenge); m != nil && insufficient().MatchString(challenge) {
		e.scopes = m[1]
	}
	return e
}

// Error describes the status to the person who typed the URL.
func (e *statusError) Error() string {
	hint := ""
	switch {
	case e.scopes != "":
		hint = "; log in again with jptoolgen login --scope '" + e.scopes + "'"
	case e.status == http.StatusUnauthorized || e.status == http.StatusForbidden:
		hint = `; log in with jptoolgen login, or add --header 'Authorization: Bearer ${TOKEN}'`
	case e.status == http.StatusNotFound || e.status == http.StatusMethodNotAllowed:
		hint = "; an MCP server often has a path, such as /mcp"
	}
	return fmt.Sprintf("the server responded with status %d %s%s", e.status, http.StatusText(e.status), hint)
}

func (e *statusError) Is(target error) bool { return target == ErrEnded }

// document delivers a JSON body, which is the whole response to a request. A response with a protocol error has
// its own HTTP status and may have no id.
func (r *remote) document(waiting context.Context, resp *http.Response, sent request) error {
	data, err := io.ReadAll(io.LimitReader(resp.Body, int64(r.limits.Message)+1))
	switch {
	case err != nil:
		return fmt.Errorf("%w: %w", ErrEnded, err)
	case len(data) > r.limits.Message:
		return fmt.Errorf("%w: a message of more than %s", ErrTooMuch, size(r.limits.Message))
	}
	m, err := readMessage(data, r.limits.Depth)
	refused := err == nil && m.Error != nil
	if resp.StatusCode >= 300 && !refused {
		return newStatusError(resp)
	}
	if !sent.answered {
		return nil
	}
	p := packet{data: data}
	if refused {
		p.id, p.err = sent.id, m.Error
	}
	r.deliver(waiting, p)
	if err == nil && !refused && !isID(m.ID, sent.id) {
		err = fmt.Errorf("%w: %s", ErrMalformed, wrongID(m.ID, sent.id))
	}
	return err
}

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
	req, err := r.request(ctx, http.MethodDelete, nil)
	if err != nil {
		return err
	}
	// Servers may refuse to end sessions, so errors are ignored.
	if resp, err := r.client.Do(req); err == nil {
		_ = resp.Body.Close()
	}
	return nil
}
