package main

import (
	"bytes"
	"net/http"
	"os"
	"strconv"
	"sync"

	"github.com/jptool/jptool/bench/internal/request"
	"github.com/jptool/jptool/bench/internal/serve"
)

// handler answers what net/http hands to it, and keeps nothing: it is what HTTP costs.
// Calls are answered with the result in the file answer, if that is named.
func handler(tools int, answer string) (http.HandlerFunc, error) {
	a, err := newAnswers(tools)
	if err != nil {
		return nil, err
	}
	if answer != "" {
		text, err := os.ReadFile(answer)
		if err != nil {
			return nil, err
		}
		a.call = string(text)
	}
	// What is read and written in is used again, so that what is allocated is what
	// net/http allocates.
	buffers := sync.Pool{New: func() any { return new(exchange) }}
	return func(w http.ResponseWriter, r *http.Request) {
		x := buffers.Get().(*exchange)
		defer buffers.Put(x)
		x.body.Reset()
		if _, err := x.body.ReadFrom(r.Body); err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		var ok bool
		if x.out, ok = a.to(x.out[:0], x.body.Bytes()); !ok {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		if bytes.Contains(x.body.Bytes(), []byte(`"method":"initialize"`)) {
			w.Header().Set(request.SessionHeader, "floor")
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", strconv.Itoa(len(x.out)))
		_, _ = w.Write(x.out) // a client that hangs up wants no answer
	}, nil
}

// An exchange is where a request and its answer are kept.
type exchange struct {
	body bytes.Buffer
	out  []byte
}

// serveHTTP serves at addr.
func serveHTTP(addr string, tools int, answer string) error {
	h, err := handler(tools, answer)
	if err != nil {
		return err
	}
	return serve.HTTP(addr, h)
}
