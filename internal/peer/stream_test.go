package peer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// An oldSite is a site with a session. The test defines what it does in a call and on a requested stream.
type oldSite struct {
	*site
	call, listen func(o *oldSite, w io.Writer, v visit)
	listening    chan struct{} // receives a value for each stream
	answers      chan visit    // the responses of the client
}

func newOldSite(t *testing.T, call, listen func(o *oldSite, w io.Writer, v visit)) *oldSite {
	o := &oldSite{call: call, listen: listen, listening: make(chan struct{}, 100), answers: make(chan visit, 100)}
	o.site = newSite(t, func(w http.ResponseWriter, v visit) {
		switch {
		case v.Method == "server/discover":
			v.fail(w, 400, "null", `{"code":-32000,"message":"no session"}`)
			return
		case v.Method == "initialize":
			w.Header().Set("Mcp-Session-Id", "s1")
			v.result(w, fmt.Sprintf(old, Sessions))
			return
		case v.verb == http.MethodGet && listen == nil:
			w.WriteHeader(405)
		case v.verb == http.MethodGet:
			w.Header().Set("Content-Type", eventStream)
			out := flushWriter{w}
			_, _ = io.WriteString(out, ": open\n\n")
			o.listening <- struct{}{}
			o.listen(o, out, v)
		case v.Method == "tools/call":
			w.Header().Set("Content-Type", eventStream)
			o.call(o, flushWriter{w}, v)
		case v.Method == "" && v.verb == http.MethodPost:
			w.WriteHeader(202)
			o.answers <- v
		default:
			w.WriteHeader(202)
		}
		if v.header.Get("Mcp-Session-Id") != "s1" || v.header.Get("Mcp-Protocol-Version") != Sessions {
			t.Errorf("%s %s without the session, or its version", v.verb, v.Method)
		}
	})
	return o
}

// A flushWriter flushes after every write.
type flushWriter struct{ w http.ResponseWriter }

func (f flushWriter) Write(p []byte) (int, error) {
	n, err := f.w.Write(p)
	return n, errors.Join(err, http.NewResponseController(f.w).Flush())
}

// event sends an event. Without a message, it has only an id.
func event(w io.Writer, id, message string) {
	_, _ = fmt.Fprintf(w, "id: %s\nretry: 0\ndata: %s\n\n", id, message)
}

func finalResponse(v visit) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, v.ID, finished)
}

const (
	question = `{"jsonrpc":"2.0","id":"q1","method":"elicitation/create","params":{"message":"Go on?","requestedSchema":{"type":"object"}}}`
	answered = `{"action":"accept","content":{"yes":true}}`
)

func accept(context.Context, Elicitation) (Response, error) {
	return Response{Action: "accept", Content: jsontext.Value(`{"yes":true}`)}, nil
}

// callOld opens a session and calls a tool.
func callOld(t *testing.T, silence time.Duration, s *oldSite) (*Result, error) {
	t.Helper()
	session, err := s.dial(t, silence, Options{Elicit: accept})
	if err != nil {
		t.Fatal(err)
	}
	r, err := session.Call(t.Context(), Call{Tool: "t"})
	if closed := session.Close(); closed != nil {
		t.Error(closed)
	}
	return r, err
}

const before = "server/discover initialize notifications/initialized "

func TestQuestionsOfSessions(t *testing.T) {
	none := func(o *oldSite, w io.Writer, v visit) { <-v.gone }
	ask := func(o *oldSite, w io.Writer, _ visit) {
		event(w, "e1", `{"jsonrpc":"2.0","id":7,"method":"ping"}`)
		event(w, "e2", question)
	}
	answer := func(t *testing.T, o *oldSite) {
		if a := <-o.answers; string(a.ID) != "7" || string(a.Result) != "{}" {
			t.Errorf("ping is answered by %s %s", a.ID, a.Result)
		}
		if a := <-o.answers; string(a.ID) != `"q1"` || string(a.Result) != answered {
			t.Errorf("the question is answered by %s %s", a.ID, a.Result)
		}
	}
	for name, tc := range map[string]struct {
		call, listen func(o *oldSite, w io.Writer, v visit)
		sent         string
	}{
		"on the stream of the call": {
			func(o *oldSite, w io.Writer, v visit) {
				ask(o, w, v)
				answer(t, o)
				event(w, "", finalResponse(v))
			}, nil, "GET tools/call answer answer DELETE",
		},
		"on a stream of the server, which is open before the call": {
			func(o *oldSite, w io.Writer, v visit) {
				answer(t, o)
				event(w, "", finalResponse(v))
			},
			func(o *oldSite, w io.Writer, v visit) {
				ask(o, w, v)
				none(o, w, v)
			}, "",
		},
		"on a stream of the server that broke": {
			func(o *oldSite, w io.Writer, v visit) {
				answer(t, o)
				event(w, "", finalResponse(v))
			},
			func(o *oldSite, w io.Writer, v visit) {
				switch v.header.Get("Last-Event-Id") {
				case "":
					event(w, "e0", "")
				case "e0":
					ask(o, w, v)
				case "e2":
					none(o, w, v)
				}
			}, "",
		},
		"on the stream of the call, which broke before and after": {
			func(_ *oldSite, w io.Writer, v visit) { event(w, "call", "") },
			func(o *oldSite, w io.Writer, v visit) {
				switch v.header.Get("Last-Event-Id") {
				case "":
					none(o, w, v)
				case "call":
					ask(o, w, v)
					answer(t, o)
				case "e2":
					event(w, "", `{"jsonrpc":"2.0","id":3,"result":`+finished+`}`)
				}
			}, "GET tools/call GET answer answer GET DELETE",
		},
		"with a stream that only waits": {
			func(_ *oldSite, w io.Writer, v visit) { event(w, "0", "") },
			func(o *oldSite, w io.Writer, v visit) {
				switch last := v.header.Get("Last-Event-Id"); last {
				case "":
					none(o, w, v)
				case "0000000000":
					event(w, "", `{"jsonrpc":"2.0","id":3,"result":`+finished+`}`)
				default:
					event(w, last+"0", "") // an event shows that the stream is alive
				}
			}, "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newOldSite(t, tc.call, tc.listen)
			if r, err := callOld(t, patient, s); err != nil || r.Content[0].Text != "done" {
				t.Errorf("%+v, %v", r, err)
			}
			if got := s.methods(); tc.sent != "" && got != before+tc.sent || !strings.HasPrefix(got, before+"GET ") || !strings.HasSuffix(got, " DELETE") {
				t.Errorf("sent %s", got)
			}
		})
	}
}

func TestStreamsThatEnd(t *testing.T) {
	for name, tc := range map[string]struct {
		call, listen func(o *oldSite, w io.Writer, v visit)
		want         string
		gets         int
	}{
		"without an id":         {func(_ *oldSite, w io.Writer, _ visit) { event(w, "", "") }, nil, "its event stream ended", 1},
		"and cannot be resumed": {func(_ *oldSite, w io.Writer, _ visit) { event(w, "e1", "") }, nil, "its event stream ended", 2},
		"and bring nothing any more": {func(_ *oldSite, w io.Writer, _ visit) { event(w, "e1", "") },
			func(o *oldSite, w io.Writer, v visit) {
				if v.header.Get("Last-Event-Id") == "" {
					<-v.gone
				}
			}, "its event stream ended", 1 + retries},
		"never": {func(o *oldSite, w io.Writer, v visit) { <-v.gone }, nil, "did not respond within 2s", 1},
		"never, with a flood at the same time": {func(o *oldSite, w io.Writer, v visit) { <-v.gone },
			func(_ *oldSite, w io.Writer, v visit) {
				flood := "data: {\"jsonrpc\":\"2.0\",\"method\":\"" + strings.Repeat("x", 1<<10) + "\"}\n\n"
				for {
					if _, err := io.WriteString(w, flood); err != nil {
						return
					}
				}
			}, "more than 262144 bytes without a response", 1},
		"never, with a long message at the same time": {func(o *oldSite, w io.Writer, v visit) { <-v.gone },
			func(_ *oldSite, w io.Writer, v visit) {
				for {
					if _, err := io.WriteString(w, strings.Repeat("x", 1<<10)); err != nil {
						return
					}
				}
			}, "a message of more than 65536 bytes", 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newOldSite(t, tc.call, tc.listen)
			silence := patient
			if strings.Contains(tc.want, "within") {
				silence = impatient
			}
			if _, err := callOld(t, silence, s); err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("%v, want %s", err, tc.want)
			}
			if got := strings.Count(s.methods(), "GET"); got != tc.gets {
				t.Errorf("%d streams, want %d: %s", got, tc.gets, s.methods())
			}
		})
	}
}

// Some servers send nothing on their stream until they have a message.
func TestStreamThatIsSilent(t *testing.T) {
	t.Parallel()
	s := newSite(t, func(w http.ResponseWriter, v visit) {
		switch {
		case v.verb == http.MethodGet:
			v.hang()
		case v.Method == "initialize":
			v.result(w, fmt.Sprintf(old, Sessions))
		case v.Method == "tools/call":
			v.result(w, finished)
		default:
			w.WriteHeader(202)
		}
	})
	session, err := s.dial(t, patient, Options{Version: Sessions})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := session.Call(t.Context(), Call{Tool: "t"}); err != nil {
			t.Error(err)
		}
	}
	if got := s.methods(); got != "initialize notifications/initialized GET tools/call tools/call" {
		t.Errorf("sent %s", got)
	}
}

// The client tells the server that a call is canceled: in a session, it sends a message; without a session, it
// closes the connection.
func TestCancel(t *testing.T) {
	for version, want := range map[string]string{
		Sessions: "initialize notifications/initialized GET tools/call notifications/cancelled",
		Rounds:   "server/discover tools/call",
	} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancel(t.Context())
			gone := make(chan struct{})
			s := newSite(t, func(w http.ResponseWriter, v visit) {
				switch v.Method {
				case "server/discover":
					v.result(w, modern)
				case "initialize":
					v.result(w, fmt.Sprintf(old, Sessions))
				case "tools/call":
					w.Header().Set("Content-Type", eventStream)
					event(flushWriter{w}, "e1", "")
					cancel()
					v.hang()
					close(gone)
				default:
					w.WriteHeader(202)
				}
			})
			session, err := s.dial(t, patient, Options{Version: version})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := session.Call(ctx, Call{Tool: "t"}); !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
			<-gone
			if got := strings.TrimSuffix(s.methods(), " DELETE"); got != want {
				t.Errorf("sent %s, want %s", got, want)
			}
		})
	}
}

// A call that fails because the tool asks a question returns the tool's error if the server has no sessions.
func TestToolThatAsksInNoSession(t *testing.T) {
	t.Parallel()
	s := newSite(t, func(w http.ResponseWriter, v visit) {
		switch v.Method {
		case "server/discover":
			v.result(w, modern)
		case "tools/call":
			v.result(w, `{"isError":true,"content":[{"type":"text","text":"no elicitation/create"}]}`)
		default:
			v.fail(w, 404, string(v.ID), `{"code":-32601,"message":"no"}`)
		}
	})
	session, err := s.dial(t, patient, Options{Elicit: accept})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if r, err := session.Call(t.Context(), Call{Tool: "t"}); err != nil || !r.IsError {
			t.Fatalf("%+v, %v", r, err)
		}
	}
	if got := s.methods(); got != "server/discover tools/call initialize tools/call" {
		t.Errorf("sent %s", got)
	}
}

// If a server supports versions with and without sessions, a tool that asks with a request is called again in a
// session.
func TestToolThatAsksInASession(t *testing.T) {
	t.Parallel()
	for name, failure := range map[string]func(http.ResponseWriter, visit){
		"a failed result": func(w http.ResponseWriter, v visit) {
			v.result(w, `{"isError":true,"content":[{"type":"text","text":"\"elicitation/create\" cannot be sent in version 2026-07-28"}]}`)
		},
		"an error": func(w http.ResponseWriter, v visit) {
			v.fail(w, 200, string(v.ID), `{"code":-32603,"message":"Cannot send 'elicitation/create'"}`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t, func(w http.ResponseWriter, v visit) {
				switch {
				case v.Method == "server/discover":
					v.result(w, modern)
				case v.Method == "initialize":
					v.result(w, fmt.Sprintf(old, Sessions))
				case v.Method == "tools/call" && v.header.Get("Mcp-Protocol-Version") == Rounds:
					failure(w, v)
				case v.Method == "tools/call":
					v.result(w, finished)
				default:
					w.WriteHeader(202)
				}
			})
			var notes []string
			session, err := s.dial(t, patient, Options{Elicit: accept, Note: func(text string) { notes = append(notes, text) }})
			if err != nil {
				t.Fatal(err)
			}
			for range 2 { // the second call already has the session
				if r, err := session.Call(t.Context(), Call{Tool: "t"}); err != nil || r.Content[0].Text != "done" {
					t.Fatalf("%+v, %v", r, err)
				}
			}
			if got := s.methods(); got != "server/discover tools/call initialize notifications/initialized GET tools/call tools/call" {
				t.Errorf("sent %s", got)
			}
			if len(notes) != 1 || !strings.Contains(notes[0], "calling it again in a session") {
				t.Errorf("notes %q", notes)
			}
		})
	}
}
