package abusehttp

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/jptool/jptool/bench/internal/drive"
	"github.com/jptool/jptool/bench/internal/request"
	"github.com/jptool/jptool/bench/internal/serve"
)

const (
	// ending is the timeout for the exit of a server: two seconds, and half a second more for slow
	// machines.
	ending = 2500 * time.Millisecond
	// stopping is the timeout for the end of a canceled call.
	stopping = 2 * time.Second
)

// ends returns trials that end a server, a session or a connection early.
func ends() []Trial {
	t := func(name string, era request.Era, run func(*server) (string, error)) Trial {
		return Trial{Group: "end", Name: name, Era: era, Run: func(t Target) (string, error) {
			return with(t.Wait(era), era, run)
		}}
	}
	return []Trial{
		t("SIGTERM while 200 calls run", request.Sessions, (*server).terminate),
		t("SIGTERM while 200 calls run", request.Requests, (*server).terminate),
		t("DELETE of a session in which a call runs", request.Sessions, (*server).deleteSession),
		t("a client that closes its connection during a call", request.Requests, (*server).hangUp),
	}
}

// waitingCall returns the request for a call that does not end by itself.
func (s *server) waitingCall(id int) []byte {
	line := request.Call(s.era, id, "{}")
	line = strings.Replace(line, `"name":"search_1"`, `"name":"wait"`, 1)
	return s.post(request.Headers(s.era, "tools/call", "wait", s.session), line)
}

// startWaiting makes n calls that do not end, and returns when all are running.
func (s *server) startWaiting(n int) ([]*drive.Conn, error) {
	conns := make([]*drive.Conn, n)
	for i := range conns {
		c, err := s.dial(life)
		if err == nil {
			err = c.Send(s.waitingCall(i + 1))
		}
		if err != nil {
			return conns, err
		}
		conns[i] = c
	}
	return conns, s.waitForOutput(serve.Begun, n, patience)
}

// waitForOutput waits until the server has printed text n times.
func (s *server) waitForOutput(text string, n int, limit time.Duration) error {
	for end := time.Now().Add(limit); s.Said(text) < n; time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			return fmt.Errorf("after %s, the server had printed %d of %d lines: %s", limit, s.Said(text), n, strings.TrimSpace(text))
		}
	}
	return nil
}

// terminate terminates the server while calls run. The server must respond to each call.
func (s *server) terminate() (string, error) {
	const n = 200
	conns, err := s.startWaiting(n)
	if err != nil {
		return "", err
	}
	began := time.Now()
	if err := s.Signal(syscall.SIGTERM); err != nil {
		return "", err
	}
	canceled := make([]bool, n)
	var all sync.WaitGroup
	for i, c := range conns {
		all.Go(func() {
			defer c.Close()
			if c.Limit(began.Add(2*ending)) != nil {
				return
			}
			r, err := c.Receive()
			a := read(r)
			canceled[i] = err == nil && a.json && (a.isError || a.code != 0) && strings.Contains(string(a.text), "cancel")
		})
	}
	all.Wait()
	told := 0
	for _, ok := range canceled {
		if ok {
			told++
		}
	}
	came := fmt.Sprintf("%d of %d were canceled", told, n)
	select {
	case <-s.Gone():
		came += fmt.Sprintf(", the process exited after %.1f s", time.Since(began).Seconds())
		if took := time.Since(began); took > ending {
			err = fmt.Errorf("the server took %s to exit", took.Round(100*time.Millisecond))
		}
	case <-time.After(time.Until(began.Add(2 * ending))):
		err = fmt.Errorf("the server was still running after %s", 2*ending)
	}
	if told < n {
		err = errors.Join(err, fmt.Errorf("%d calls got no response", n-told))
	}
	return came, err
}

// deleteSession closes a session with a running call.
func (s *server) deleteSession() (string, error) {
	conns, err := s.startWaiting(1)
	if err != nil {
		return "", err
	}
	defer conns[0].Close()
	began := time.Now()
	fields := request.Headers(s.era, "", "", s.session)
	r := strings.Replace(string(s.post(fields, "")), "POST", "DELETE", 1)
	a, err := s.ask([]byte(r), patience)
	if err != nil {
		return "", err
	}
	took := time.Since(began)
	if a.status >= 300 {
		return a.String(), errors.New("want 200, 202 or 204")
	}
	if err := s.waitForOutput(serve.Ended, 1, stopping); err != nil {
		return a.String(), fmt.Errorf("the call was still running: %w", err)
	}
	came := fmt.Sprintf("%d after %.1f s, and the call ended after %.1f s", a.status, took.Seconds(), time.Since(began).Seconds())
	if err := conns[0].Limit(time.Now().Add(stopping)); err != nil {
		return came, err
	}
	if r, err := conns[0].Receive(); err != nil {
		came += ", without a response"
	} else {
		came += ", with " + read(r).String()
	}
	return came, nil
}

// hangUp closes the connection of a call.
func (s *server) hangUp() (string, error) {
	conns, err := s.startWaiting(1)
	if err != nil {
		return "", err
	}
	began := time.Now()
	if err := conns[0].Close(); err != nil {
		return "", err
	}
	if err := s.waitForOutput(serve.Ended, 1, stopping); err != nil {
		return "", fmt.Errorf("the call was still running: %w", err)
	}
	return fmt.Sprintf("the call ended after %.1f s", time.Since(began).Seconds()), nil
}

// resultOf returns the result of a message.
func resultOf(text []byte) (json.RawMessage, error) {
	var m struct{ Result json.RawMessage }
	err := json.Unmarshal(text, &m)
	return m.Result, err
}
