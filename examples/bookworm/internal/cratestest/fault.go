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

// A Fault answers in place of the server, or lets next answer first.
type Fault func(w http.ResponseWriter, r *http.Request, next http.Handler)

type rule struct {
	part  string
	left  int // negative for ever
	fault Fault
}

// Break has a fault answer the next requests whose method and path, as in
// "GET /api/v1/crates", hold part: so many of them, all if times is negative.
func (s *Server) Break(part string, times int, fault Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rules = append(s.rules, &rule{part: part, left: times, fault: fault})
}

// Mend ends all faults.
func (s *Server) Mend() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rules = nil
}

// Status answers with a status and pairs of a header's name and value.
func Status(code int, header ...string) Fault {
	return func(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(code)
		fmt.Fprintf(w, "status %d", code)
	}
}

// Redirect answers with a redirect.
func Redirect(to string) Fault { return Status(http.StatusFound, "Location", to) }

// Loop redirects to the same address.
func Loop(w http.ResponseWriter, r *http.Request, _ http.Handler) {
	w.Header().Set("Location", r.URL.RequestURI())
	w.WriteHeader(http.StatusFound)
}

// Answer answers 200 with a body of a type.
func Answer(contentType, body string) Fault {
	return func(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
		w.Header().Set("Content-Type", contentType)
		_, _ = io.WriteString(w, body)
	}
}

// Endless answers 200 with a text again and again, for as long as somebody reads.
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

// Silent answers nothing until the client leaves.
func Silent(_ http.ResponseWriter, r *http.Request, _ http.Handler) { <-r.Context().Done() }

// Hang sends so many bytes of the right answer and no more, until the client leaves.
func Hang(n int) Fault {
	return func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		send(w, right(r, next), n)
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	}
}

// Cut sends so many bytes of the right answer and closes the connection.
func Cut(n int) Fault {
	return func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		send(w, right(r, next), n)
		panic(http.ErrAbortHandler)
	}
}

// Drop closes the connection at once.
func Drop(http.ResponseWriter, *http.Request, http.Handler) { panic(http.ErrAbortHandler) }

// Short sends so many bytes of the right answer as if they were all.
func Short(n int) Fault {
	return func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		got := right(r, next)
		got.Header().Set("Content-Length", strconv.Itoa(min(n, got.Body.Len())))
		send(w, got, n)
	}
}

// Without lets the right answer go out without some headers; a length that is left
// out makes it a chunked one.
func Without(header ...string) Fault {
	return func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		got := right(r, next)
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

// With lets the right answer go out with a header set.
func With(name, value string) Fault {
	return func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		got := right(r, next)
		got.Header().Set(name, value)
		send(w, got, got.Body.Len())
	}
}

// Step sends the right answer in pieces of so many bytes, each when step returns,
// which is told how many were sent before.
func Step(piece int, step func(sent int)) Fault {
	return func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		got := right(r, next)
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

// right returns what the server would have answered.
func right(r *http.Request, next http.Handler) *httptest.ResponseRecorder {
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

// Gzip returns so many blanks, packed.
func Gzip(n int64) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = io.Copy(w, io.LimitReader(blank{}, n)) // a buffer
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
