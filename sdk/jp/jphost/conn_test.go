package jphost_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/jptool/jptool/sdk/jp/jphost"
)

func TestConnectRefuses(t *testing.T) {
	tests := map[string]struct{ reply, want string }{
		"hang up":   {hangUp, "initialize: the server exited before it responded"},
		"error":     {`{"jsonrpc":"2.0","id":0,"error":{"code":-32602,"message":"too old"}}`, "initialize: the server returned an error: too old (-32602)"},
		"no result": {`{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25"}}`, "initialize: the result is not an initialize result"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			ours, theirs := net.Pipe()
			go func() {
				buf := make([]byte, 1<<10)
				_, _ = theirs.Read(buf)
				if test.reply != hangUp {
					fmt.Fprintln(theirs, test.reply)
				}
				theirs.Close()
			}()
			h, err := jphost.Connect(deadline(t), ours, jphost.Options{})
			if h != nil || err == nil || err.Error() != test.want {
				t.Errorf("%v, want %s", err, test.want)
			}
			if _, err := ours.Write([]byte("x")); err == nil {
				t.Error("the connection is still open")
			}
		})
	}
	t.Run("silence", func(t *testing.T) {
		ours, theirs := net.Pipe()
		defer theirs.Close()
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := jphost.Connect(ctx, ours, jphost.Options{}); !errors.Is(err, context.Canceled) {
			t.Errorf("err = %v", err)
		}
	})
}

// garbage lists lines that a server may print even though they are not messages.
var garbage = []string{
	"starting server...",
	"",
	"{",
	`{"id":1,"result":{}}`,
	`[{"jsonrpc":"2.0","id":1,"result":{}}]`,
	`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"\ud800"}]}}`,
	`{"jsonrpc":"2.0","id":"1","result":{}}`,
	`{"jsonrpc":"2.0","id":999,"result":{}}`,
	`{"method":"window/logMessage"}`,
	`{"jsonrpc":"2.0","method":"notifications/progress","params":{}}`,
	"\uFEFF" + `{"jsonrpc":"2.0","method":"notifications/message"}`,
}

func TestGarbageDoesNotHang(t *testing.T) {
	s := connect(t, jphost.Options{}, func(r request) []string {
		if r.Method != "tools/call" {
			return nil
		}
		return append(slices.Clone(garbage), text(r, "fine"))
	})
	for range 3 {
		if got, err := s.Call(deadline(t), "t", nil, nil); err != nil || got.Text != "fine" {
			t.Fatalf("%+v, %v", got, err)
		}
	}
	// The host may not have replied to the garbage from the last call yet, but must have replied to the garbage
	// from the first call.
	const reply = `{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"}}`
	got := 0
	for _, line := range s.receivedLines() {
		if line == reply {
			got++
		}
	}
	if got < 10 || got > 15 {
		t.Errorf("%d replies to lines that cannot be read", got)
	}
}

// TestFloodEnds checks that a server that prints without reading cannot block the host.
func TestFloodEnds(t *testing.T) {
	s := connect(t, jphost.Options{}, func(r request) []string {
		if r.Method != "tools/call" {
			return nil
		}
		return slices.Repeat([]string{"noise"}, 5000)
	})
	got, err := s.Call(deadline(t), "t", nil, nil)
	if !errors.Is(err, jphost.ErrClosed) || got.Rule != jphost.RuleClosed || !strings.Contains(err.Error(), "not reading") {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestServerRequestsAreAnswered(t *testing.T) {
	asks := map[string]string{
		"ping":                   `"result":{}`,
		"roots/list":             `"result":{"roots":[]}`,
		"elicitation/create":     `"result":{"action":"decline"}`,
		"sampling/createMessage": `"error":{"code":-32601,"message":"sampling/createMessage"}`,
	}
	replies := make(chan string, len(asks))
	s := connect(t, jphost.Options{}, func(r request) []string {
		if r.Method == "" {
			replies <- r.line
			return nil
		}
		if r.Method != "tools/call" {
			return nil
		}
		var lines []string
		for method := range asks {
			lines = append(lines, fmt.Sprintf(`{"jsonrpc":"2.0","id":%q,"method":%q}`, "s-"+method, method))
		}
		return append(lines, text(r, "done"))
	})
	if got, err := s.Call(deadline(t), "t", nil, nil); err != nil || got.Text != "done" {
		t.Fatalf("%+v, %v", got, err)
	}
	for range asks {
		select {
		case line := <-replies:
			var r struct{ ID string }
			if err := json.Unmarshal([]byte(line), &r); err != nil {
				t.Fatal(err)
			}
			want := asks[strings.TrimPrefix(r.ID, "s-")]
			if line != fmt.Sprintf(`{"jsonrpc":"2.0","id":%q,%s}`, r.ID, want) {
				t.Errorf("answered %s, want %s", line, want)
			}
		case <-deadline(t).Done():
			t.Fatal("no answer")
		}
	}
}

func TestCallsRunAtOnce(t *testing.T) {
	// The server delays every response until all calls have arrived, then responds in reverse order.
	const n = 20
	var held []string
	s := connect(t, jphost.Options{}, func(r request) []string {
		if r.Method != "tools/call" {
			return nil
		}
		held = append([]string{text(r, r.Params.Name)}, held...)
		if len(held) < n {
			return nil
		}
		return held
	})
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			name := fmt.Sprint("tool", i)
			if got, err := s.Call(deadline(t), name, nil, nil); err != nil || got.Text != name {
				t.Errorf("%s: %+v, %v", name, got, err)
			}
		})
	}
	all.Wait()
}

func TestCancelledCallIsForgotten(t *testing.T) {
	ctx, cancel := context.WithCancel(deadline(t))
	var late string
	s := connect(t, jphost.Options{}, func(r request) []string {
		switch r.Params.Name {
		case "slow":
			late = text(r, "late")
			cancel()
		case "next":
			return []string{late, text(r, "in time")}
		}
		return nil
	})
	if got, err := s.Call(ctx, "slow", nil, nil); !errors.Is(err, context.Canceled) || got.Text != "" {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := s.Call(deadline(t), "next", nil, nil); err != nil || got.Text != "in time" {
		t.Errorf("%+v, %v", got, err)
	}
	for _, line := range s.receivedLines() {
		if strings.Contains(line, "cancelled") {
			t.Errorf("the server received %s", line)
		}
	}
}

func TestClosed(t *testing.T) {
	reached := make(chan struct{})
	s := connect(t, jphost.Options{}, func(r request) []string {
		if r.Method == "tools/call" {
			close(reached)
		}
		return nil
	})
	go func() {
		<-reached
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}()
	for range 2 {
		if _, err := s.Call(deadline(t), "t", nil, nil); !errors.Is(err, jphost.ErrClosed) {
			t.Errorf("err = %v", err)
		}
	}
	if _, err := s.Tools(deadline(t)); !errors.Is(err, jphost.ErrClosed) {
		t.Errorf("err = %v", err)
	}
}

func TestTrace(t *testing.T) {
	var mu sync.Mutex
	seen := map[jphost.Direction][]string{}
	o := jphost.Options{Trace: func(d jphost.Direction, line []byte) {
		mu.Lock()
		defer mu.Unlock()
		seen[d] = append(seen[d], string(line))
	}}
	s := connect(t, o, askInOrder())
	if _, err := s.Call(deadline(t), "t", nil, nil); err != nil {
		t.Fatal(err)
	}
	mu.Lock()
	defer mu.Unlock()
	if !slices.Equal(seen[jphost.Sent], s.receivedLines()) {
		t.Errorf("traced %q, sent %q", seen[jphost.Sent], s.receivedLines())
	}
	if got := seen[jphost.Received]; len(got) != 2 || !strings.Contains(got[1], `\"type\":\"success\"`) {
		t.Errorf("traced %q", got)
	}
}
