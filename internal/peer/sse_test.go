package peer

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
)

// These servers use the transport of version 2024-11-05 and misbehave.
func TestEventsOfHostileServers(t *testing.T) {
	for name, tc := range map[string]struct {
		stream string // sent before the server waits
		loop   string // sent until the client leaves
		want   string
	}{
		"another host":         {"event: endpoint\ndata: http://elsewhere.example/in\n\n", "", "another host, \"http://elsewhere.example/in\""},
		"another scheme":       {"event: endpoint\ndata: file:///etc/passwd\n\n", "", "another host"},
		"a password":           {"event: endpoint\ndata: //a:b@elsewhere.example/\n\n", "", `host, "http://elsewhere.example/";`},
		"not an address":       {"event: endpoint\ndata: http://[\n\n", "", "its endpoint is not a URL"},
		"another event first":  {"event: message\ndata: {}\n\n", "", "does not begin with the endpoint event"},
		"no event":             {": hello\n\n", "", ErrSilent.Error()},
		"endless comments":     {"", ": hello\n\n", ErrSilent.Error()},
		"a long line":          {"event: endpoint\ndata: /" + strings.Repeat("x", 300<<10), "", ErrTooMuch.Error()},
		"endless events":       {"event: endpoint\ndata: /in\n\n", "data: {\"jsonrpc\":\"2.0\",\"method\":\"x\"}\n\n", ErrTooMuch.Error()},
		"an end after address": {"event: endpoint\ndata: /in\n\nevent: end\n", "", ErrSilent.Error()},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var s *site
			s = newSite(t, func(w http.ResponseWriter, v visit) {
				if v.verb != http.MethodGet {
					if strings.Contains(s.methods(), http.MethodGet) {
						w.WriteHeader(http.StatusAccepted) // the response to a message that the client posted
					} else {
						w.WriteHeader(http.StatusMethodNotAllowed)
					}
					return
				}
				w.Header().Set("Content-Type", eventStream)
				_, err := fmt.Fprint(w, tc.stream)
				w.(http.Flusher).Flush()
				for tc.loop != "" && err == nil {
					_, err = fmt.Fprint(w, tc.loop)
				}
				v.hang()
			})
			if _, err := s.dial(t, impatient, Options{}); err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got %v, want %q", err, tc.want)
			}
		})
	}
}

// A POST is not canceled when its response arrives on the stream before the POST has ended.
func TestResponseBeforeThePOSTEnds(t *testing.T) {
	events, released := make(chan string), make(chan struct{})
	var lists atomic.Int32
	s := newSite(t, func(w http.ResponseWriter, v visit) {
		switch {
		case v.verb == http.MethodGet:
			w.Header().Set("Content-Type", eventStream)
			_, _ = fmt.Fprint(w, "event: endpoint\ndata: /in\n\n")
			for w.(http.Flusher).Flush(); ; w.(http.Flusher).Flush() {
				select {
				case event := <-events:
					_, _ = fmt.Fprintf(w, "data: %s\n\n", event)
				case <-v.gone:
					return
				}
			}
		case v.header.Get("Accept") != "": // a client of the newer transport sends Accept
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		case v.Method == "initialize":
			var result strings.Builder
			v.result(&result, `{"protocolVersion":"2024-11-05","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}`)
			events <- result.String()
		case v.Method == "tools/list":
			var result strings.Builder
			v.result(&result, `{"tools":[]}`)
			events <- result.String()
			if lists.Add(1) > 1 {
				break
			}
			select {
			case <-released:
			case <-v.gone:
				t.Error("the POST was canceled")
			}
		}
		w.WriteHeader(http.StatusAccepted)
	})
	session, err := s.dial(t, patient, Options{})
	for range 3 {
		if err == nil {
			_, _, err = session.Tools(t.Context())
		}
	}
	close(released)
	if err != nil {
		t.Error(err)
	}
}

// If a server does not have this transport, the error has the status of the server's first
// response.
func TestNoEvents(t *testing.T) {
	s := newSite(t, func(w http.ResponseWriter, _ visit) { w.WriteHeader(http.StatusNotFound) })
	_, err := s.dial(t, patient, Options{})
	if refused, ok := errors.AsType[*statusError](err); !ok || refused.status != http.StatusNotFound {
		t.Errorf("got %v", err)
	}
}
