package abusehttp

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/jptool/jptool/bench/internal/drive"
	"github.com/jptool/jptool/bench/internal/request"
)

// maxMemory is the maximum memory in bytes that a server may use in addition to the memory that
// the baseline, the server without an SDK, uses under the same load. It is also the maximum memory
// that the server may keep afterwards in addition to its idle memory.
const maxMemory = 64 << 20

// A load is the work of many clients, while another client makes valid calls.
type load struct {
	name string
	era  request.Era
	// run puts the load on a server, and returns when the load has ended. If the server is the
	// baseline, the load may be incomplete.
	run func(s *server, baseline bool) error
	// arguments are the arguments of the load's calls. results is the number of bytes in the results that
	// handlers return; these bytes are allowed.
	arguments string
	results   int64
	// rest is the time in which a server can free memory while the clients are still connected.
	rest time.Duration
}

const (
	hoarders   = 100
	folderSize = 4<<20 - 16<<10 // a result contains the folder twice
	giveUp     = 15 * time.Second
)

func loads() []load {
	large := strings.Replace(request.Arguments, "inbox/2026", strings.Repeat("x", folderSize), 1)
	all := []load{
		{name: "10,000 sessions that are not closed", era: request.Sessions, run: func(s *server, _ bool) error { return s.openSessions(10_000) }},
		{name: "200 incomplete bodies", era: request.Requests, run: (*server).half},
	}
	for _, era := range request.Eras {
		all = append(all,
			load{name: "5,000 concurrent calls", era: era, run: func(s *server, _ bool) error { return s.makeCalls(5000) }},
			load{name: "100 responses of 8 MiB that are not read", era: era, arguments: large, results: hoarders * 2 * folderSize, rest: giveUp,
				run: func(s *server, _ bool) error { return s.ignoreResponses(large) }},
		)
	}
	return all
}

// A memoryUse is the memory of a server in bytes: before a load, at its peak, and after the load.
type memoryUse struct{ idle, peak, left int64 }

// try puts the load on the baseline and on a server, and compares their memory.
func (l load) try(t Target) (string, error) {
	if l.arguments == "" {
		l.arguments = request.Arguments
	}
	file, err := l.answer(t)
	if err != nil {
		return "", fmt.Errorf("making one call: %w", err)
	}
	defer os.Remove(file)
	baseline, _, err := l.on(t.Baseline(file), true)
	if err != nil {
		return "", fmt.Errorf("measuring the baseline: %w", err)
	}
	own, longest, err := l.on(t.Search(l.era), false)
	came := fmt.Sprintf("peak %d MiB, baseline %d; %d idle, %d afterwards; a valid client waits up to %.1f s",
		own.peak>>20, baseline.peak>>20, own.idle>>20, own.left>>20, longest.Seconds())
	if beyond := own.peak - baseline.peak - l.results; beyond > maxMemory {
		err = errors.Join(err, fmt.Errorf("in addition to the baseline and %d MiB of results, the server used %d MiB", l.results>>20, beyond>>20))
	}
	if kept := own.left - own.idle; l.rest > 0 && kept > maxMemory {
		err = errors.Join(err, fmt.Errorf("the server did not free %d MiB", kept>>20))
	}
	return came, err
}

// answer writes the result of a call to a file for the baseline.
func (l load) answer(t Target) (path string, err error) {
	s, err := start(t.Search(l.era), l.era)
	if err != nil {
		return "", err
	}
	defer s.Kill()
	a, err := s.ask(s.call(1, l.arguments), patience)
	if err == nil {
		err = a.checkGood("1")
	}
	if err != nil {
		return "", err
	}
	result, err := resultOf(a.text)
	if err != nil {
		return "", err
	}
	file, err := os.CreateTemp("", "answer-")
	if err != nil {
		return "", err
	}
	_, err = file.Write(result)
	return file.Name(), errors.Join(err, file.Close())
}

// on puts the load on a server while another client makes valid calls. It returns the memory of the server and
// the longest time that the other client waited.
func (l load) on(command []string, baseline bool) (u memoryUse, longest time.Duration, err error) {
	s, err := start(command, l.era)
	if err != nil {
		return u, 0, err
	}
	defer s.Kill()
	if !baseline {
		if err := s.checkAlive(patience); err != nil {
			return u, 0, err
		}
	}
	idle, err := drive.Resident(s.PID())
	if err != nil {
		return u, 0, err
	}
	over := make(chan struct{})
	var wg sync.WaitGroup
	var refused error
	if !baseline {
		good := *s // opening many sessions may replace the session of s
		wg.Go(func() { longest, refused = good.callUntil(over) })
	}
	err = l.run(s, baseline)
	if err == nil {
		time.Sleep(l.rest)
	}
	close(over)
	wg.Wait()
	left, err2 := drive.Resident(s.PID())
	peak, err3 := drive.Peak(s.PID())
	if !baseline {
		err = errors.Join(err, refused, s.checkAlive(patience))
	}
	return memoryUse{int64(idle), peak, int64(left)}, longest, errors.Join(err, err2, err3)
}

// callUntil makes valid calls until over is closed, and returns the duration of the longest call.
func (s *server) callUntil(over <-chan struct{}) (longest time.Duration, err error) {
	for {
		began := time.Now()
		if err := s.checkAlive(patience); err != nil {
			return longest, err
		}
		longest = max(longest, time.Since(began))
		select {
		case <-over:
			return longest, nil
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// ignoreResponses makes large calls and does not read the responses.
func (s *server) ignoreResponses(arguments string) error {
	errs := make([]error, hoarders)
	var all sync.WaitGroup
	for i := range hoarders {
		c, err := s.connectNarrow()
		if err != nil {
			return err
		}
		// The connection stays open for longer than the trial; by then, the server has exited.
		time.AfterFunc(life, func() { _ = c.Close() })
		all.Go(func() { errs[i] = c.Send(s.call(i+2, arguments)) })
	}
	all.Wait()
	return errors.Join(errs...)
}

// half sends the first half of large bodies. The server must stop waiting for each of them.
func (s *server) half(baseline bool) error {
	const n, size = 200, 1 << 20
	r := s.call(1, strings.Replace(request.Arguments, "inbox/2026", strings.Repeat("x", size), 1))
	errs := make([]error, n)
	var all sync.WaitGroup
	for i := range n {
		c, err := s.dial(maxHold)
		if err != nil {
			return err
		}
		defer c.Close()
		all.Go(func() {
			if errs[i] = c.Send(r[:len(r)-size/2]); errs[i] != nil || baseline {
				return
			}
			if _, err := c.Receive(); errors.Is(err, os.ErrDeadlineExceeded) {
				errs[i] = fmt.Errorf("the server waited longer than %s for an incomplete body", maxHold)
			}
		})
	}
	all.Wait()
	if baseline {
		time.Sleep(time.Second) // until the server has read the received bytes
	}
	return errors.Join(errs...)
}
