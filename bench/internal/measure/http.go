package measure

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/jptool/jptool/bench/internal/build"
	"github.com/jptool/jptool/bench/internal/request"
)

// Conns are the numbers of concurrent connections for calls.
var Conns = []int{1, 8}

// IdleSessions is the number of sessions that are open but idle during the calls of some variants.
const IdleSessions = 10_000

// An HTTPVariant is a generation of MCP, a number of connections, and whether [IdleSessions] idle sessions are open.
type HTTPVariant struct {
	Era      request.Era
	Conns    int
	WithIdle bool
}

// HTTPVariants returns all variants.
func HTTPVariants() []HTTPVariant {
	var all []HTTPVariant
	for _, era := range request.Eras {
		for _, withIdle := range []bool{false, true} {
			for _, conns := range Conns {
				all = append(all, HTTPVariant{era, conns, withIdle})
			}
		}
	}
	return all
}

// HTTP holds the measurements over HTTP, keyed by subject name.
type HTTP struct {
	Calls  map[string]map[HTTPVariant]Calls
	Allocs map[string]map[request.Era]Allocs
	Idle   map[string]Idle
}

// AboveBaseline returns the allocations of a call in a subject minus the allocations of net/http.
func (h *HTTP) AboveBaseline(name string, era request.Era) Allocs {
	baseline, a := h.Allocs[build.Baseline][era], h.Allocs[name][era]
	return Allocs{Objects: a.Objects - baseline.Objects, Bytes: a.Bytes - baseline.Bytes}
}

// Idle is the cost of idle sessions.
type Idle struct {
	Sessions int     // the number of opened sessions
	Bytes    float64 // resident memory per session
}

// OverHTTP measures calls over HTTP and counts allocations. For each subject and variant, it makes size calls in
// each of the rounds. sessions is used instead of [IdleSessions].
func OverHTTP(subjects []build.Subject, workspace build.Workspace, rounds, size, sessions int) (*HTTP, error) {
	subjects = httpSubjects(subjects)
	if err := answers(subjects, workspace); err != nil {
		return nil, err
	}
	if err := agreeOverHTTP(subjects); err != nil {
		return nil, err
	}
	h := &HTTP{Calls: map[string]map[HTTPVariant]Calls{}, Idle: map[string]Idle{}}
	for _, subject := range subjects {
		h.Calls[subject.Name] = map[HTTPVariant]Calls{}
	}
	for _, era := range request.Eras {
		if err := h.throughput(subjects, era, rounds, size, sessions); err != nil {
			return nil, fmt.Errorf("%s: %w", era, err)
		}
	}
	var err error
	h.Allocs, err = allocations(subjects, func(s build.Subject, era request.Era, n int) (Allocs, error) {
		return allocatedOverHTTP(s, era, workspace.Dir, n)
	})
	return h, err
}

// A runningSubject is a service with its callers, for one variant.
type runningSubject struct {
	*service
	name    string
	variant HTTPVariant
	callers []*caller
}

// throughput measures the calls of a generation. Each subject runs twice, with and without idle sessions. All
// subjects run alternately.
func (h *HTTP) throughput(subjects []build.Subject, era request.Era, rounds, size, sessions int) (err error) {
	var services []*service
	var running []runningSubject
	defer func() {
		for _, s := range running {
			for _, a := range s.callers {
				a.Close()
			}
		}
		for _, s := range services {
			if err != nil {
				s.Kill()
			} else if _, closed := s.Close(); closed != nil {
				err = closed
			}
		}
	}()
	for _, withIdle := range []bool{false, true} {
		for _, subject := range subjects {
			s, err := h.start(subject, era, withIdle, sessions)
			if err != nil {
				return fmt.Errorf("%s: %w", subject.Name, err)
			}
			if s == nil {
				continue // the subject has no sessions
			}
			services = append(services, s)
			for _, conns := range Conns {
				callers, err := s.callers(conns)
				if err != nil {
					return fmt.Errorf("%s: %w", subject.Name, err)
				}
				running = append(running, runningSubject{s, subject.Name, HTTPVariant{era, conns, withIdle}, callers})
			}
		}
	}
	for round := range rounds + 1 {
		for _, s := range running {
			cpu, wall, err := s.callConcurrently(s.callers, size)
			if err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
			if round == 0 {
				continue // this round warms up
			}
			c := h.Calls[s.name][s.variant]
			c.CPU = append(c.CPU, micros(cpu)/float64(size))
			c.Wall = append(c.Wall, micros(wall)/float64(size))
			h.Calls[s.name][s.variant] = c
		}
	}
	return nil
}

// start starts a subject, with idle sessions if withIdle is set. It returns nil for a subject that opens no
// sessions.
func (h *HTTP) start(subject build.Subject, era request.Era, withIdle bool, sessions int) (*service, error) {
	s, err := serveHTTP(subject.Served(era), nil, era)
	if err != nil || !withIdle {
		return s, err
	}
	idle, err := s.idle(sessions)
	if era == request.Sessions {
		h.Idle[subject.Name] = idle
		// The server may have closed this session to make room for newer ones. A server that opens no
		// other session still has this one.
		if entered := s.enter(); !errors.Is(entered, errNoSession) {
			err = errors.Join(err, entered)
		}
	}
	if err != nil || idle.Sessions == 0 {
		s.Kill()
		return nil, err
	}
	return s, nil
}

// answers writes the results that the baseline returns, which are the results of jptool's
// server.
func answers(subjects []build.Subject, workspace build.Workspace) error {
	for _, subject := range subjects {
		if subject.Name != build.Jptool {
			continue
		}
		for _, era := range request.Eras {
			result, err := resultOf(subject, era)
			if err != nil {
				return fmt.Errorf("%s, %s: %w", subject.Name, era, err)
			}
			if err := os.WriteFile(workspace.Answer(era), result, 0o600); err != nil {
				return err
			}
		}
	}
	return nil
}

// resultOf returns the result of a call to jptool's server.
func resultOf(subject build.Subject, era request.Era) ([]byte, error) {
	s, err := serveHTTP(subject.Served(era), nil, era)
	if err != nil {
		return nil, err
	}
	answer, err := s.ask(request.Call(era, 1, request.Arguments))
	if err = errors.Join(err, s.end()); err != nil {
		return nil, err
	}
	var m struct{ Result json.RawMessage }
	if err := json.Unmarshal(answer, &m); err != nil || m.Result == nil {
		return nil, fmt.Errorf("unexpected response to a call: %.300s", answer)
	}
	return m.Result, nil
}
