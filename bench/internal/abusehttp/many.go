package abusehttp

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/jptool/jptool/bench/internal/drive"
	"github.com/jptool/jptool/bench/internal/request"
)

// capacityTrials returns trials with too many connections, sessions or calls.
func capacityTrials() []Trial {
	all := []Trial{
		{Group: "many", Name: "1,100 incomplete requests, 1,024 descriptors", Era: request.Requests, Run: func(t Target) (string, error) {
			limited := append([]string{"sh", "-c", `ulimit -Sn 1024 && ulimit -Hn 1024 && exec "$@"`, "sh"}, t.Search(request.Requests)...)
			return with(limited, request.Requests, (*server).sendIncomplete)
		}},
	}
	for _, l := range loads() {
		all = append(all, Trial{Group: "many", Name: l.name, Era: l.era, Run: l.try})
	}
	return all
}

// openSessions opens sessions and leaves them unused. A new client must still get a session.
func (s *server) openSessions(n int) error {
	c, err := s.dial(life)
	if err != nil {
		return err
	}
	defer c.Close()
	for i := range n {
		if _, err := s.enter(c); err != nil {
			return fmt.Errorf("session %d: %w", i+1, err)
		}
	}
	if s.session, err = s.open(); err != nil {
		return fmt.Errorf("a new client got no session: %w", err)
	}
	return s.checkAlive(patience)
}

// sendIncomplete sends more incomplete requests than the server has descriptors. A client with a valid request must
// still be served.
func (s *server) sendIncomplete() (string, error) {
	const n, limit = 1100, 20 * time.Second
	r := s.call(1, request.Arguments)
	for range n {
		c, err := s.Dial()
		if err != nil {
			return "", err
		}
		defer c.Close()
		if err := c.Send(r[:len(r)-100]); err != nil {
			return "", err
		}
	}
	began := time.Now()
	for time.Since(began) < limit {
		if s.checkAlive(limit-time.Since(began)) == nil {
			return fmt.Sprintf("a valid client was served after %.1f s", time.Since(began).Seconds()), nil
		}
	}
	return "", fmt.Errorf("a valid request got no response within %s", limit)
}

// makeCalls makes n concurrent calls. Each call must return its own result.
func (s *server) makeCalls(n int) error {
	conns := make([]*drive.Conn, n)
	for i := range conns {
		c, err := s.dial(time.Minute)
		if err != nil {
			return err
		}
		defer c.Close()
		conns[i] = c
	}
	errs := make([]error, n)
	var all sync.WaitGroup
	for i, c := range conns {
		r := s.call(i, request.Arguments)
		all.Go(func() {
			got, err := c.Do(r)
			a := read(got)
			if err == nil && a.checkGood(fmt.Sprint(i)) != nil {
				err = fmt.Errorf("unexpected response: %s", a)
			}
			if err != nil {
				errs[i] = fmt.Errorf("call %d: %w", i, err)
			}
		})
	}
	all.Wait()
	failed := slices.DeleteFunc(errs, func(err error) bool { return err == nil })
	if len(failed) > 0 {
		return fmt.Errorf("%d of %d calls: %w", len(failed), n, failed[0])
	}
	return nil
}
