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

// handler answers requests with net/http alone and stores nothing, so it measures the cost of HTTP.
// If the answer file is set, calls return the result in it.
func handler(tools int, answer string) (http.HandlerFunc, error) {
	a, err := newAnswers(tools)
	if err != nil {
		return nil, err
	}
	if answer != "" {
		if a.call, err = os.ReadFile(answer); err != nil {
			return nil, err
		}
	}
	end := []byte{'}'}
	// Read buffers are reused, so that only net/http allocates. The response is written without
	// a copy.
	buffers := sync.Pool{New: func() any { return new(exchange) }}
	return func(w http.ResponseWriter, r *http.Request) {
		x := buffers.Get().(*exchange)
		defer buffers.Put(x)
		x.body.Reset()
		x.body.Grow(int(max(0, r.ContentLength)) + bytes.MinRead)
		if _, err := x.body.ReadFrom(r.Body); err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		var result []byte
		if x.head, result = a.to(x.head[:0], x.body.Bytes()); result == nil {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		if bytes.Contains(x.body.Bytes(), []byte(`"method":"initialize"`)) {
			w.Header().Set(request.SessionHeader, "baseline")
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", strconv.Itoa(len(x.head)+len(result)+len(end)))
		for _, part := range [][]byte{x.head, result, end} {
			if _, err := w.Write(part); err != nil {
				return // the client has closed the connection
			}
		}
	}, nil
}

// An exchange holds the buffers for a request and for the start of the response.
type exchange struct {
	body bytes.Buffer
	head []byte
}

// serveHTTP serves at addr.
func serveHTTP(addr string, tools int, answer string) error {
	h, err := handler(tools, answer)
	if err != nil {
		return err
	}
	return serve.HTTP(addr, h)
}
