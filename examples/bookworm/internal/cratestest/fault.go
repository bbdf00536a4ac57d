package cratestest

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
)

// A Fault responds to a request in place of the server. It can call next for the regular response.
type Fault func(w http.ResponseWriter, r *http.Request, next http.Handler)

type rule struct {
	part  string
	left  int // negative means unlimited
	fault Fault
}

// Break applies a fault to the next requests whose method and path, such as "GET /api/v1/crates", contain part.
// times is the number of these requests. If it is negative, the fault applies to all of them.
func (s *Server) Break(part string, times int, fault Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rules = append(s.rules, &rule{part: part, left: times, fault: fault})
}

// Mend removes all faults.
func (s *Server) Mend() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rules = nil
}

// Status responds with a status and headers, given as alternating names and values.
func Status(code int, header ...string) Fault {
	return func(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(code)
		fmt.Fprintf(w, "status %d", code)
	}
}

// Redirect responds with a redirect.
func Redirect(to string) Fault { return Status(http.StatusFound, "Location", to) }

// Loop redirects to the same URL.
func Loop(w http.ResponseWriter, r *http.Request, _ http.Handler) {
	w.Header().Set("Location", r.URL.RequestURI())
	w.WriteHeader(http.StatusFound)
}

// Answer responds with status 200 and a body of the given content type.
func Answer(contentType, body string) Fault {
	return func(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
		w.Header().Set("Content-Type", contentType)
		_, _ = io.WriteString(w, body)
	}
}

// Endless responds with status 200 and repeats text until the client stops reading.
func Endless(text string) Fault {
	return func(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
		chunk := bytes.Repeat([]byte(text), 64<<10/len(text))
		for {
			if _, err := w.Write(chunk); err != nil {
				return
			}
		}
	}
}

// Silent does not respond until the client disconnects.
func Silent(_ http.ResponseWriter, r *http.Request, _ http.Handler) { <-r.Context().Done() }

// Until sends the regular response after a channel is closed.
func Until(released <-chan struct{}) Fault {
	return func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		select {
		case <-released:
			next.ServeHTTP(w, r)
		case <-r.Context().Done():
		}
	}
}

// Hang sends n bytes of the regular response, then waits until the client disconnects.
func Hang(n int) Fault {
	return func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		send(w, respond(r, next), n)
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	}
}

// Cut sends n bytes of the regular response and closes the connection.
func Cut(n int) Fault {
	return func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		send(w, respond(r, next), n)
		panic(http.ErrAbortHandler)
	}
}

// Drop closes the connection immediately.
func Drop(http.ResponseWriter, *http.Request, http.Handler) { panic(http.ErrAbortHandler) }

// Short sends n bytes of the regular response as if the response were complete.
func Short(n int) Fault {
	return func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		got := respond(r, next)
		got.Header().Set("Content-Length", strconv.Itoa(min(n, got.Body.Len())))
		send(w, got, n)
	}
}

// Without removes headers from the regular response. Without Content-Length, the response is chunked.
func Without(header ...string) Fault {
	return func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		got := respond(r, next)
		for _, name := range header {
			got.Header().Del(name)
		}
		body, total := got.Body.Bytes(), got.Body.Len()
		got.Body = bytes.NewBuffer(body[:total/2])
		send(w, got, total)
		_ = http.NewResponseController(w).Flush()
		_, _ = w.Write(body[total/2:])
	}
}

// With sets a header of the regular response.
func With(name, value string) Fault {
	return func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		got := respond(r, next)
		got.Header().Set(name, value)
		send(w, got, got.Body.Len())
	}
}

// Step sends the regular response in pieces of piece bytes. Before each piece, it calls step with the number of
// bytes sent so far.
func Step(piece int, step func(sent int)) Fault {
	return func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		got := respond(r, next)
		body := got.Body.Bytes()
		send(w, got, 0)
		for sent := 0; sent < len(body); sent += piece {
			step(sent)
			if _, err := w.Write(body[sent:min(sent+piece, len(body))]); err != nil {
				return
			}
			if http.NewResponseController(w).Flush() != nil {
				return
			}
		}
		step(len(body))
	}
}

// respond returns the response of the server without a fault.
func respond(r *http.Request, next http.Handler) *httptest.ResponseRecorder {
	got := httptest.NewRecorder()
	next.ServeHTTP(got, r)
	return got
}

func send(w http.ResponseWriter, got *httptest.ResponseRecorder, n int) {
	for name, values := range got.Header() {
		w.Header()[name] = values
	}
	w.WriteHeader(got.Code)
	if n = min(n, got.Body.Len()); n > 0 {
		_, _ = w.Write(got.Body.Bytes()[:n])
	}
}

// Gzip returns n spaces, compressed.
func Gzip(n int64) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = io.Copy(w, io.LimitReader(blank{}, n)) // cannot fail: w writes to a buffer
	_ = w.Close()
	return b.Bytes()
}

type blank struct{}

func (blank) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}
