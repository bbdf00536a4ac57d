package abuse

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jptool/jptool/bench/internal/request"
)

// concurrency returns trials with many concurrent calls.
func concurrency(era request.Era) []Trial {
	on := func(name string, limit time.Duration, run func(*server) error) Trial {
		return Trial{Group: "concurrency", Name: name, Run: func(t Target) error { return trial(t.Command, era, limit, run) }}
	}
	waits := func(name string, run func(*server) error) Trial {
		return Trial{Group: "concurrency", Name: name, NeedsStress: true, Run: func(t Target) error { return trial(t.Stress, era, 4*patience, run) }}
	}
	return []Trial{
		on("1,000 concurrent calls", 4*patience, func(s *server) error { return s.pipeline(1000) }),
		on("10,000 concurrent calls", 8*patience, func(s *server) error { return s.pipeline(10_000) }),
		{Group: "concurrency", Name: "a flood of notifications", Run: func(t Target) error {
			return trial(t.Command, era, 8*patience, func(s *server) error {
				lines := strings.Repeat(`{"jsonrpc":"2.0","method":"notifications/dance"}`+"\n", 1000)
				n := 100
				if t.HTTP {
					n = 10 // over HTTP, each line is a request
				}
				for range n {
					if err := s.send(strings.TrimSuffix(lines, "\n")); err != nil {
						return err
					}
				}
				return s.checkAlive()
			})
		}},
		on("1,000 cancellations of unknown calls", 2*patience, func(s *server) error {
			for i := range 1000 {
				if err := s.send(cancellation(100_000 + i)); err != nil {
					return err
				}
			}
			return s.checkAlive()
		}),
		waits("1,000 waiting calls that are canceled", func(s *server) error {
			for i := range 1000 {
				if err := s.send(s.tool(i, "wait", "{}")); err != nil {
					return err
				}
			}
			for i := range 1000 {
				if err := s.send(cancellation(i)); err != nil {
					return err
				}
			}
			return s.quotes(5000)
		}),
		// Over HTTP, each request of the generation without sessions is independent.
		{Group: "concurrency", Name: "an id that is still in use", NeedsStress: true, Pipes: era == request.Requests, Run: func(t Target) error {
			return trial(t.Stress, era, 4*patience, func(s *server) error { return s.reuseID(t.HTTP) })
		}},
		waits("a crash among 100 calls", func(s *server) error {
			for i := range 100 {
				line := s.tool(i, "quote", fmt.Sprintf(`{"text":"t%d"}`, i))
				if i == 50 {
					line = s.tool(i, "crash", "{}")
				}
				if err := s.send(line); err != nil {
					return err
				}
			}
			for range 100 {
				m, err := s.recv()
				if err != nil {
					return err
				}
				if crash := string(m.ID) == "50"; m.Result == nil || m.Result.IsError != crash || !crash && m.Result.text() != "t"+string(m.ID) {
					return fmt.Errorf("unexpected response: %s", clip(m.line))
				}
			}
			return s.quotes(5000)
		}),
	}
}

func cancellation(id int) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d,"reason":"enough"}}`, id)
}

// quotes returns an error unless the quote tool of the stress server returns its result.
func (s *server) quotes(id int) error {
	m, err := s.ask(s.tool(id, "quote", `{"text":"still here"}`))
	if err == nil && (string(m.ID) != fmt.Sprint(id) || m.Result == nil || m.Result.text() != "still here") {
		err = fmt.Errorf("unexpected response to the next call: %s", clip(m.line))
	}
	return err
}

// pipeline sends calls without waiting for responses. Each call must get exactly one response,
// with its own result.
func (s *server) pipeline(calls int) error {
	sent := make(chan error, 1)
	go func() {
		for i := range calls {
			if err := s.send(request.Call(s.era, i+1, strings.Replace(request.Arguments, `"offset":40`, fmt.Sprintf(`"offset":%d`, i%10_000), 1))); err != nil {
				sent <- err
				return
			}
		}
		sent <- nil
	}()
	seen := make([]bool, calls+1)
	for range calls {
		m, err := s.recv()
		if err != nil {
			return err
		}
		var id int
		if err := json.Unmarshal(m.ID, &id); err != nil || id < 1 || id > calls || seen[id] {
			return fmt.Errorf("unexpected or duplicate response: %s", clip(m.line))
		}
		seen[id] = true
		var out struct{ Total int }
		if m.Result == nil || m.Result.IsError {
			return fmt.Errorf("unexpected response to call %d: %s", id, clip(m.line))
		}
		text := m.Result.Structured
		if text == nil {
			text = json.RawMessage(m.Result.text())
		}
		if err := json.Unmarshal(text, &out); err != nil || out.Total != 20+(id-1)%10_000 {
			return fmt.Errorf("call %d got the response to another call: %s", id, clip(m.line))
		}
	}
	return errors.Join(<-sent, s.checkAlive())
}

// reuseID makes a call with the id of a running call. Over HTTP, the call may arrive before the running
// one; it is then repeated.
func (s *server) reuseID(http bool) error {
	if err := s.send(s.tool(7, "wait", "{}")); err != nil {
		return err
	}
	m, err := s.ask(s.tool(7, "quote", `{"text":"x"}`))
	for tries := 0; http && err == nil && m.Result != nil && tries < 100; tries++ {
		time.Sleep(10 * time.Millisecond)
		m, err = s.ask(s.tool(7, "quote", `{"text":"x"}`))
	}
	if err != nil {
		return err
	}
	if m.Error == nil || m.Error.Code != -32600 {
		return fmt.Errorf("unexpected response to the second call: %s", clip(m.line))
	}
	return s.quotes(5000)
}
