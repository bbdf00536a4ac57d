package peer

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// A caller receives ErrEnded if a server is unreachable or rejects the request. The error does not
// contain the URL.
func TestLostServers(t *testing.T) {
	refusing := httptest.NewServer(http.NotFoundHandler())
	defer refusing.Close()
	moved := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/mcp?"+r.URL.RawQuery, http.StatusPermanentRedirect)
	}))
	defer moved.Close()
	gone := httptest.NewServer(nil)
	gone.Close()
	for url, want := range map[string]string{
		refusing.URL + "?key=hunter2": "the server responded with status 404 Not Found; ",
		moved.URL + "?key=hunter2":    "the server cannot be reached: the server redirects to " + moved.URL + "/mcp; use that URL",
		gone.URL + "?key=hunter2":     "the server cannot be reached: ",
	} {
		_, err := Dial(t.Context(), url, nil, Options{Limits: DefaultLimits()})
		if !errors.Is(err, ErrEnded) || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%v, want %s…", err, want)
		}
	}
}

// A server cannot make the client keep reopening a stream by ending it after events without
// messages.
func TestStreamThatAlwaysEnds(t *testing.T) {
	t.Parallel()
	next := func(_ *oldSite, w io.Writer, v visit) { event(w, v.header.Get("Last-Event-Id")+"0", "") }
	s := newOldSite(t, func(o *oldSite, w io.Writer, v visit) { <-v.gone }, next)
	s.listening = make(chan struct{}, 1000)
	session, err := s.dial(t, impatient, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := session.Call(t.Context(), Call{Tool: "t"}); !errors.Is(err, ErrSilent) {
		t.Error(err)
	}
	// The client opens the first stream, one stream per poll, and one after each longer pause.
	if got := strings.Count(s.methods(), "GET"); got > 1+polls+int(impatient/pausing)+1 {
		t.Errorf("%d streams", got)
	}
	if err := session.Close(); err != nil {
		t.Error(err)
	}
}
