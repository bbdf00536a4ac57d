package peer

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// The same over HTTP.
func TestWrongHTTPResponses(t *testing.T) {
	const ok = "1 tools, 1 blocks"
	kind := func(media, body string) func(http.ResponseWriter, string) {
		return func(w http.ResponseWriter, id string) {
			w.Header().Set("Content-Type", media)
			_, _ = io.WriteString(w, strings.ReplaceAll(body, "$ID", id))
		}
	}
	status := func(code int, header ...string) func(http.ResponseWriter, string) {
		return func(w http.ResponseWriter, _ string) {
			for i := 0; i+1 < len(header); i += 2 {
				w.Header().Set(header[i], header[i+1])
			}
			w.WriteHeader(code)
		}
	}
	const document = "application/json"
	fine := `{"jsonrpc":"2.0","id":$ID,"result":{"content":[{"type":"text","text":"x"}]}}`
	for name, tc := range map[string]struct {
		serve func(http.ResponseWriter, string)
		want  string
	}{
		"another notation":     {kind(document, `{"jsonrpc":"2.0","id":$ID.0,"result":{"content":[{}]}}`), ok},
		"a string as the id":   {kind(document, `{"jsonrpc":"2.0","id":"$ID","result":{}}`), `it has the id "`},
		"no id":                {kind(document, `{"jsonrpc":"2.0","result":{}}`), "it has no id"},
		"null as the id":       {kind(document, `{"jsonrpc":"2.0","id":null,"result":{}}`), "it has the id null"},
		"NaN":                  {kind(document, `{"jsonrpc":"2.0","id":$ID,"result":{"a":NaN}}`), "invalid character 'N'"},
		"cut":                  {kind(document, `{"jsonrpc":"2.0","id":$ID,"resu`), "unexpected EOF"},
		"no body":              {kind(document, ``), "unexpected EOF"},
		"a batch":              {kind(document, `[`+fine+`]`), "a list of messages"},
		"a page":               {kind("text/html", `<h1>hello`), `of type "text/html"`},
		"no type":              {kind("", fine), "of type"},
		"a charset":            {kind(document+"; charset=utf-8", fine), ok},
		"a byte order mark":    {kind(document, "\ufeff"+fine), ok},
		"202":                  {status(202), "202 Accepted"},
		"204":                  {status(204), "204 No Content"},
		"400":                  {status(400), "status 400"},
		"401":                  {status(401), "jptoolgen login"},
		"403":                  {status(403), "status 403"},
		"404":                  {status(404), "status 404"},
		"413":                  {status(413), "status 413"},
		"429":                  {status(429), "status 429"},
		"500":                  {status(500), "status 500"},
		"503":                  {status(503), "status 503"},
		"301":                  {status(301, "Location", "/other"), "redirects to"},
		"302":                  {status(302, "Location", "https://example.com/"), "redirects to https://example.com/"},
		"307 elsewhere":        {status(307, "Location", "/other"), "redirects to"},
		"307 without location": {status(307), "status 307"},
		"a stream":             {kind(eventStream, "data: "+fine+"\n\n"), ok},
		"a stream that ends":   {kind(eventStream, ""), "its event stream ended"},
		"a stream with NaN":    {kind(eventStream, "data: {\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":NaN}\n\n"), "invalid character 'N'"},
		"a stream with an id":  {kind(eventStream, "data: {\"jsonrpc\":\"2.0\",\"id\":\"$ID\",\"result\":{}}\n\n"), `it has the id "`},
		"an incomplete event":  {kind(eventStream, "data: "+fine), "its event stream ended"},
		"an error as text":     {kind(document, `{"jsonrpc":"2.0","id":$ID,"error":"no luck"}`), "no luck"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t, func(w http.ResponseWriter, v visit) {
				switch v.Method {
				case "tools/call":
					tc.serve(w, string(v.ID))
				case "server/discover":
					v.fail(w, 200, string(v.ID), `{"code":-32601,"message":"no"}`)
				case "initialize":
					v.result(w, fmt.Sprintf(old, Sessions))
				case "tools/list":
					v.result(w, `{"tools":[{"name":"t"}]}`)
				default:
					w.WriteHeader(http.StatusAccepted)
				}
			})
			seen := use(t, Options{}, func(o Options) (*Session, error) { return Dial(t.Context(), s.URL, nil, o) })
			if !strings.Contains(seen, tc.want) {
				t.Errorf("%s, want %q", seen, tc.want)
			}
		})
	}
}

// A redirect that only adds a slash is followed with the request and its headers.
func TestRedirectToASlash(t *testing.T) {
	for _, code := range []int{http.StatusTemporaryRedirect, http.StatusPermanentRedirect} {
		s := newSite(t, nil)
		s.serve = func(w http.ResponseWriter, v visit) {
			if v.path == "/mcp" {
				w.Header().Set("Location", "/mcp/")
				w.WriteHeader(code)
				return
			}
			if v.header.Get("Authorization") != "Bearer x" {
				t.Errorf("%s %s without the header", v.verb, v.path)
			}
			switch v.Method {
			case "server/discover":
				v.result(w, modern)
			case "tools/list":
				v.result(w, `{"tools":[]}`)
			default:
				v.result(w, finished)
			}
		}
		seen := use(t, Options{}, func(o Options) (*Session, error) {
			return Dial(t.Context(), s.URL+"/mcp", http.Header{"Authorization": {"Bearer x"}}, o)
		})
		if !strings.HasPrefix(seen, "0 tools") {
			t.Errorf("%d: %s", code, seen)
		}
	}
}

// After status 404 for its session, a client must open a new one (MCP 2025-11-25, Session Management).
func TestLostSessions(t *testing.T) {
	sessions, lose := 0, 0
	s := newSite(t, nil)
	s.serve = func(w http.ResponseWriter, v visit) {
		id := fmt.Sprintf("s%d", sessions)
		switch {
		case v.Method == "server/discover":
			v.fail(w, 400, "null", `{"code":-32000,"message":"no session"}`)
		case v.Method == "initialize":
			if v.header.Get("Mcp-Session-Id") != "" {
				t.Error("initialize in a session")
			}
			sessions++
			w.Header().Set("Mcp-Session-Id", fmt.Sprintf("s%d", sessions))
			v.result(w, fmt.Sprintf(old, Sessions))
		case v.verb == http.MethodGet:
			w.WriteHeader(405)
		case v.header.Get("Mcp-Session-Id") != id:
			v.fail(w, 404, string(v.ID), `{"code":-32001,"message":"session not found"}`)
		case v.ID == nil:
			w.WriteHeader(202)
		case lose > 0 && v.Method == "tools/call":
			lose--
			w.WriteHeader(404)
		case v.Method == "nothing":
			v.fail(w, 404, string(v.ID), `{"code":-32601,"message":"no such method"}`)
		default:
			v.result(w, finished)
		}
	}
	var notes []string
	session, err := s.dial(t, patient, Options{Note: func(text string) { notes = append(notes, text) }})
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	for lost, want := range []string{"", "", "status 404"} {
		lose = lost
		_, err := session.Call(t.Context(), Call{Tool: "t"})
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("after %d losses: %v", lost, err)
		}
	}
	if len(notes) != 2 || !strings.Contains(notes[0], "the server ended the session") {
		t.Errorf("notes %q", notes)
	}
	before := sessions
	if _, err := session.request(t.Context(), "nothing", params{}, patient); err == nil || sessions != before {
		t.Errorf("an unknown method: %v, and %d new sessions", err, sessions-before)
	}
}

// A server that starts slowly, and exits when the first message is not initialize, is started again.
func TestSlowStart(t *testing.T) {
	t.Parallel()
	starts := 0
	o := Options{Limits: DefaultLimits()}
	o.Limits.Silence, o.Limits.Grace = patient, time.Millisecond
	s, err := open(context.WithoutCancel(t.Context()), o, func() (transport, error) {
		starts++
		ours, theirs := net.Pipe()
		go func() {
			first, in := true, bufio.NewReader(theirs)
			for {
				line, err := in.ReadString('\n')
				if first && !strings.Contains(line, `"initialize"`) {
					_, _ = in.ReadString('\n') // the second message arrives when the probe has timed out
					_ = theirs.Close()
					return
				}
				if first = false; err != nil {
					return
				}
				if id := answerID().FindStringSubmatch(line); id != nil {
					_, _ = fmt.Fprintf(theirs, `{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", id[1], fmt.Sprintf(old, Sessions))
				}
			}
		}()
		return NewLines(ours, o.Limits.Message), nil
	})
	if err != nil || starts != 2 {
		t.Fatalf("%v after %d starts", err, starts)
	}
	_ = s.Close()
}
