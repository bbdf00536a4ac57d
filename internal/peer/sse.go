package peer

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"
)

// An eventTransport is the transport of version 2024-11-05, HTTP with SSE. The server sends all messages on one
// stream. The first event on the stream contains the URL to which the client posts its messages.
type eventTransport struct {
	*remote
	endpoint *url.URL
}

// openSession opens a session. If the server rejects POST requests, openSession tries the transport
// of version 2024-11-05 (MCP 2025-11-25, Transports, Backwards Compatibility).
func (s *Session) openSession(ctx context.Context, version string, within time.Duration) error {
	err := s.initialize(ctx, version, within)
	old, isRemote := s.transport.(*remote)
	refused, ok := errors.AsType[*statusError](err)
	if !ok || !isRemote || refused.status != http.StatusBadRequest && refused.status != http.StatusNotFound && refused.status != http.StatusMethodNotAllowed {
		return err
	}
	t, failed := openEvents(ctx, newRemote(old.url, old.header, old.token, old.limits), within)
	if _, none := errors.AsType[*statusError](failed); none {
		return err // the server has no such stream, so the first error is the relevant one
	}
	if failed != nil {
		return failed
	}
	_ = old.close() // the connection is not open yet
	s.transport = t
	return s.initialize(ctx, version, within)
}

// openEvents opens the stream of a server and waits for its first event.
func openEvents(ctx context.Context, r *remote, within time.Duration) (*eventTransport, error) {
	endpoint, failed := make(chan string, 1), make(chan error, 1)
	r.tasks.Go(func() {
		body, err := r.get(r.ctx, "")
		if err != nil {
			failed <- err
			return
		}
		s := &stream{remote: r, waiting: r.ctx, endpoint: endpoint}
		if err = s.read(body); err == nil {
			err = errStreamEnded
		}
		_ = body.Close() // the relevant part has been read
		failed <- err
		for r.deliver(r.ctx, packet{err: err}) { // every later request fails with this error
		}
	})
	timer := time.NewTimer(within)
	defer timer.Stop()
	var err error
	select {
	case word := <-endpoint:
		t := &eventTransport{remote: r}
		if t.endpoint, err = r.sameHost(word); err == nil {
			return t, nil
		}
	case err = <-failed:
	case <-timer.C:
		err = &silentError{after: within}
	case <-ctx.Done():
		err = ctx.Err()
	}
	_ = r.close() // the first error is the relevant one
	return nil, err
}

// sameHost returns the URL to which a server wants messages to be posted. It returns an error for another host,
// because headers may contain a secret that the user meant only for the host that the user typed.
func (r *remote) sameHost(word string) (*url.URL, error) {
	base, err := url.Parse(r.url)
	if err != nil {
		return nil, err
	}
	to, err := base.Parse(word)
	if err != nil {
		return nil, fmt.Errorf("%w: its endpoint is not a URL", ErrMalformed)
	}
	if to.Scheme != base.Scheme || to.Host != base.Host || to.User != nil {
		return nil, fmt.Errorf("the server specifies an endpoint on another host, %.200q; use a URL on that host if you trust it", withoutSecret(to))
	}
	return to, nil
}

func (e *eventTransport) listen(context.Context) {}

func (e *eventTransport) send(ctx context.Context, m request) error {
	if !m.answered {
		return e.post(ctx, m)
	}
	// The server may ask a question before it responds to the request. It may also respond before
	// the POST has ended. In this case, the POST is not canceled, because another request may
	// already use the connection, and would fail as well.
	e.tasks.Go(func() {
		if err := e.post(e.ctx, m); err != nil {
			e.deliver(ctx, packet{err: err, id: m.id})
		}
	})
	return nil
}

// post sends a message. The response arrives on the stream.
func (e *eventTransport) post(ctx context.Context, m request) error {
	ctx, cancel := context.WithTimeout(ctx, e.limits.Silence)
	defer cancel()
	req, err := e.request(ctx, http.MethodPost, m.data)
	if err != nil {
		return err
	}
	req.URL = e.endpoint
	req.Header.Set("Content-Type", "application/json")
	resp, err := e.do(req)
	if err != nil {
		return err
	}
	_ = resp.Body.Close() // the body contains no message
	if resp.StatusCode >= 300 {
		return newStatusError(resp)
	}
	return nil
}
