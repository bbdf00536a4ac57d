package peer

import (
	"fmt"
	"io"
	"net/http"
	"strings"
)

// checkRedirect rejects redirects: headers may contain a secret that the user meant only for the URL that the user
// typed. It permits a redirect of the same request that only adds or removes a slash at the end of the path.
func checkRedirect(to *http.Request, via []*http.Request) error {
	from := via[0]
	code := 0
	if to.Response != nil {
		code = to.Response.StatusCode
	}
	same := code == http.StatusTemporaryRedirect || code == http.StatusPermanentRedirect
	a, b := *from.URL, *to.URL
	a.Path, b.Path = strings.TrimSuffix(a.Path, "/"), strings.TrimSuffix(b.Path, "/")
	a.RawPath, b.RawPath = strings.TrimSuffix(a.RawPath, "/"), strings.TrimSuffix(b.RawPath, "/")
	if same && len(via) == 1 && a == b {
		return nil
	}
	return fmt.Errorf("the server redirects to %s; use that URL if you trust it", withoutSecret(to.URL))
}

// A lostSession reports that a server has ended a session.
type lostSession struct{ error }

func (e *lostSession) Unwrap() error { return e.error }

// lost returns the error for status 404, with which a server rejects a session that it has ended. Some servers also
// use it for an unknown method.
func (r *remote) lost(resp *http.Response) error {
	data, _ := io.ReadAll(io.LimitReader(resp.Body, longestHandshake)) // without a body, the status is the error
	const methodNotFound = -32601
	m, err := readMessage(data, r.limits.Depth)
	switch {
	case err != nil || m.Error == nil:
		return &lostSession{newStatusError(resp)}
	case m.Error.Code == methodNotFound:
		return m.Error
	}
	return &lostSession{m.Error}
}

// forget prepares for a new session.
func (r *remote) forget() {
	r.mu.Lock()
	r.session = ""
	r.mu.Unlock()
	if r.listening != nil {
		r.listening()
		r.listening = nil
	}
}
