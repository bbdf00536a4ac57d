package peer

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// newSlowSession connects a session to a server that answers each request with respond. The test must run in a
// synctest bubble, where the pauses of respond take no real time.
func newSlowSession(t *testing.T, options Options, respond func(w io.Writer, id json.RawMessage, method string)) *Session {
	t.Helper()
	ours, theirs := net.Pipe()
	var server sync.WaitGroup
	t.Cleanup(server.Wait)
	server.Go(func() {
		for in := bufio.NewReader(theirs); ; {
			line, err := ReadLine(in, 1<<20)
			var m struct {
				ID     json.RawMessage
				Method string
			}
			if err != nil || json.Unmarshal(line, &m) != nil {
				return
			}
			respond(theirs, m.ID, m.Method)
		}
	})
	s, err := Connect(t.Context(), ours, options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func writeResult(w io.Writer, id json.RawMessage, result string) {
	_, _ = fmt.Fprintf(w, "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}\n", id, result)
}

// Progress reports prolong a call, but not forever.
func TestReportsProlongACall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSlowSession(t, Options{Limits: DefaultLimits(), Progress: func(Progress) {}}, func(w io.Writer, id json.RawMessage, method string) {
			if method != "tools/call" {
				writeResult(w, id, modern)
				return
			}
			const report = `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":1}}` + "\n"
			for {
				if _, err := fmt.Fprintf(w, report, id); err != nil {
					return
				}
				time.Sleep(700 * time.Millisecond) // in synctest's fake time
			}
		})
		begin := time.Now()
		_, err := s.Call(t.Context(), Call{Tool: "t", Silence: time.Second})
		if took := time.Since(begin); !errors.Is(err, ErrSilent) || took != Reports*time.Second {
			t.Errorf("%v after %v", err, took)
		}
	})
}

// A list has one deadline for all its pages.
func TestPagesDoNotProlongAList(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limits := DefaultLimits()
		limits.Silence = time.Second
		cursor := ""
		s := newSlowSession(t, Options{Limits: limits}, func(w io.Writer, id json.RawMessage, method string) {
			if method != "tools/list" {
				writeResult(w, id, modern)
				return
			}
			time.Sleep(300 * time.Millisecond) // in synctest's fake time
			cursor += "x"
			writeResult(w, id, fmt.Sprintf(`{"tools":[],"nextCursor":%q}`, cursor))
		})
		begin := time.Now()
		_, _, err := s.Tools(t.Context())
		const want = "tools/list: the server did not respond within 1s"
		if took := time.Since(begin); took != limits.Silence || !errors.Is(err, ErrSilent) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v after %v, want %s", err, took, want)
		}
	})
}
