package jphost_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jptool/jptool/sdk/jp/jphost"
)

// request is the part of a line that the server in these tests reads.
type request struct {
	ID     json.RawMessage
	Method string
	Params struct {
		Name   string
		Cursor string
		Meta   map[string]json.RawMessage `json:"_meta"`
	}
	line string
}

// server returns the lines with which a server responds to a line from a host.
type server func(r request) []string

// session is a host with a server on a pipe, and the lines that the server has read.
type session struct {
	*jphost.Host
	mu    sync.Mutex
	lines []string
}

func (s *session) receivedLines() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.lines...)
}

const hello = `{"protocolVersion":"1999-01-01","capabilities":{},"serverInfo":{"name":"fake","version":"0"}}`

func result(r request, body string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, r.ID, body)
}

func text(r request, s string) string {
	block, _ := json.Marshal(map[string]any{"content": []any{map[string]string{"type": "text", "text": s}}})
	return result(r, string(block))
}

// serve reads lines until the end of input. It handles initialize itself.
func (s *session) serve(conn io.ReadWriteCloser, handle server) {
	defer conn.Close()
	lines := bufio.NewScanner(conn)
	for lines.Scan() {
		var r request
		r.line = lines.Text()
		s.mu.Lock()
		s.lines = append(s.lines, r.line)
		s.mu.Unlock()
		if err := json.Unmarshal([]byte(r.line), &r); err != nil {
			return
		}
		var replies []string
		if r.Method == "initialize" {
			replies = []string{result(r, hello)}
		} else {
			replies = handle(r)
		}
		for _, reply := range replies {
			if reply == hangUp {
				return
			}
			if _, err := io.WriteString(conn, reply+"\n"); err != nil {
				return
			}
		}
	}
}

// hangUp is a reply that closes the connection.
const hangUp = "\x00hang up"

func connect(t *testing.T, o jphost.Options, handle server) *session {
	t.Helper()
	ours, theirs := net.Pipe()
	s := &session{}
	served := make(chan struct{})
	go func() {
		defer close(served)
		s.serve(theirs, handle)
	}()
	h, err := jphost.Connect(deadline(t), ours, o)
	if err != nil {
		t.Fatal(err)
	}
	s.Host = h
	t.Cleanup(func() {
		if err := h.Close(); err != nil {
			t.Error(err)
		}
		<-served
	})
	return s
}

// deadline returns a context that ends, so that a test fails instead of waiting forever.
func deadline(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	t.Cleanup(cancel)
	return ctx
}

func callLines(lines []string) []string {
	var found []string
	for _, line := range lines {
		if strings.Contains(line, `"tools/call"`) {
			found = append(found, line)
		}
	}
	return found
}
