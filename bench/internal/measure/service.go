package measure

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/jptool/jptool/bench/internal/build"
	"github.com/jptool/jptool/bench/internal/drive"
	"github.com/jptool/jptool/bench/internal/request"
)

// A service is a running HTTP server, with the generation of MCP that it is used with.
type service struct {
	*drive.Service
	era     request.Era
	session string // "" means no session
}

// serveHTTP starts a command and, in the generation with sessions, opens a session.
func serveHTTP(command, env []string, era request.Era) (*service, error) {
	d, err := drive.Serve(command, env, limit)
	if err != nil {
		return nil, err
	}
	s := &service{Service: d, era: era}
	if era == request.Sessions {
		err = s.enter()
	}
	if err != nil {
		s.Kill()
	}
	return s, err
}

// enter opens the session in which calls are made.
func (s *service) enter() error {
	c, err := s.Dial()
	if err != nil {
		return err
	}
	defer c.Close()
	id, err := s.open(c)
	if err == nil {
		s.session = id
	}
	return err
}

// errNoSession means that a server did not open a session, or did not open another one.
var errNoSession = errors.New("the server did not open a session")

// open opens a session over a connection and returns its id.
func (s *service) open(c *drive.Conn) (string, error) {
	r, err := c.Do(request.Post(s.Host, s.Path, request.Headers(request.Sessions, "", "", ""), request.Initialize))
	if err != nil {
		return "", err
	}
	if r.Status != http.StatusOK || r.Session == "" {
		return "", fmt.Errorf("%w: response to initialize: %d %.200s", errNoSession, r.Status, r.Body)
	}
	id := r.Session
	r, err = c.Do(request.Post(s.Host, s.Path, request.Headers(request.Sessions, "", "", id), request.Initialized))
	if err == nil && r.Status != http.StatusAccepted && r.Status != http.StatusOK {
		err = fmt.Errorf("response to notifications/initialized: %d %.200s", r.Status, r.Body)
	}
	return id, err
}

// openSessions opens n sessions and leaves them unused. It returns the number of opened sessions, which is
// smaller if the server rejects some.
func (s *service) openSessions(n int) (int, error) {
	const conns = 4
	counts, errs := make([]int, conns), make([]error, conns)
	var all sync.WaitGroup
	for i := range conns {
		all.Go(func() {
			c, err := s.Dial()
			if err != nil {
				errs[i] = err
				return
			}
			defer c.Close()
			for counts[i] < n/conns {
				if _, err := s.open(c); err != nil {
					if !errors.Is(err, errNoSession) {
						errs[i] = err
					}
					return
				}
				counts[i]++
			}
		})
	}
	all.Wait()
	sum := 0
	for _, count := range counts {
		sum += count
	}
	return sum, errors.Join(errs...)
}

// ask sends a message over a separate connection and returns the response.
func (s *service) ask(message string) ([]byte, error) {
	c, err := s.Dial()
	if err != nil {
		return nil, err
	}
	defer c.Close()
	var m struct {
		Method string
		Params struct{ Name string }
	}
	if err := json.Unmarshal([]byte(message), &m); err != nil {
		return nil, err
	}
	r, err := c.Do(request.Post(s.Host, s.Path, request.Headers(s.era, m.Method, m.Params.Name, s.session), message))
	return r.Message(), err
}

// end ends the server.
func (s *service) end() error {
	_, err := s.Close()
	return err
}

// ring is the number of prepared requests with different ids that a connection sends in turn.
const ring = 64

// A caller sends calls over a connection, one at a time.
type caller struct {
	*drive.Conn
	requests [][]byte
	next     int
}

// callers returns n callers whose requests have different ids. Each has already made one call, because a server may
// close an unused connection.
func (s *service) callers(n int) ([]*caller, error) {
	var all []*caller
	for i := range n {
		c, err := s.Dial()
		if err != nil {
			return nil, err
		}
		a := &caller{Conn: c}
		for j := range ring {
			a.requests = append(a.requests, request.PostCall(s.Host, s.Path, s.era, s.session, (i+1)*ring+j, request.Arguments))
		}
		if err := a.calls(1); err != nil {
			return nil, err
		}
		all = append(all, a)
	}
	return all, nil
}

// calls makes n calls, which must all succeed.
func (a *caller) calls(n int) error {
	for range n {
		r, err := a.Do(a.requests[a.next%ring])
		a.next++
		if err != nil {
			return err
		}
		if r.Status != http.StatusOK {
			return fmt.Errorf("unexpected response to a call: %d %.300s", r.Status, r.Body)
		}
		if err := drive.Succeeded(r.Body); err != nil {
			return err
		}
	}
	return nil
}

// callConcurrently makes n calls with all callers concurrently, and returns the server's CPU time and the elapsed time.
func (s *service) callConcurrently(callers []*caller, n int) (cpu, wall time.Duration, err error) {
	before, err := s.CPU()
	if err != nil {
		return 0, 0, err
	}
	start := time.Now()
	errs := make([]error, len(callers))
	var all sync.WaitGroup
	for i, a := range callers {
		all.Go(func() { errs[i] = a.calls(n / len(callers)) })
	}
	all.Wait()
	wall = time.Since(start)
	after, err := s.CPU()
	return after - before, wall, errors.Join(append(errs, err)...)
}

// httpSubjects returns the subjects that serve HTTP.
func httpSubjects(subjects []build.Subject) []build.Subject {
	var all []build.Subject
	for _, s := range subjects {
		if s.HTTP != nil {
			all = append(all, s)
		}
	}
	return all
}
