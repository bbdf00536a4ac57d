package peer

import (
	"errors"
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
	gone := httptest.NewServer(nil)
	gone.Close()
	for url, want := range map[string]string{
		refusing.URL + "?key=hunter2": "the server responded with status 404 Not Found; ",
		gone.URL + "?key=hunter2":     "the server cannot be reached: ",
	} {
		_, err := Dial(t.Context(), url, nil, Options{Limits: DefaultLimits()})
		if !errors.Is(err, ErrEnded) || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%v, want %s…", err, want)
		}
	}
}
