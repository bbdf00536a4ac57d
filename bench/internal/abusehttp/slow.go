package abusehttp

import (
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/jptool/jptool/bench/internal/drive"
	"github.com/jptool/jptool/bench/internal/request"
)

// maxHold is the maximum time for which a server may keep a connection with an incomplete request.
const maxHold = 75 * time.Second

// slow returns trials with requests that start and do not end.
func slow() []Trial {
	t := func(name string, parts func([]byte) (first, drops []byte)) Trial {
		return Trial{Group: "slow", Name: name, Era: request.Requests, Idle: true, Run: func(t Target) (string, error) {
			return with(t.Search(request.Requests), request.Requests, func(s *server) (string, error) {
				first, drops := parts(s.call(1, request.Arguments))
				return s.sendSlowly(first, drops)
			})
		}}
	}
	return []Trial{
		t("a header that does not end", func(r []byte) ([]byte, []byte) { return r[:40], nil }),
		t("a header sent byte by byte", func(r []byte) ([]byte, []byte) { return r[:40], r[40:] }),
		t("a body that does not end", func(r []byte) ([]byte, []byte) { return r[:len(r)-100], nil }),
		t("a body sent byte by byte", func(r []byte) ([]byte, []byte) { return r[:len(r)-200], r[len(r)-200:] }),
		{Group: "slow", Name: "nothing after a call", Era: request.Requests, Idle: true, Run: func(t Target) (string, error) {
			return with(t.Search(request.Requests), request.Requests, func(s *server) (string, error) {
				return s.keepIdle()
			})
		}},
	}
}

// sendSlowly sends the first part of a request and then one byte of drops per second. It reports when the server
// closes the connection.
func (s *server) sendSlowly(first, drops []byte) (string, error) {
	c, err := s.dial(maxHold)
	if err != nil {
		return "", err
	}
	defer c.Close()
	if err := c.Send(first); err != nil {
		return "", err
	}
	began := time.Now()
	ended := make(chan struct{})
	defer close(ended)
	go func() {
		for i := range drops {
			select {
			case <-ended:
				return
			case <-time.After(time.Second):
				if c.Send(drops[i:i+1]) != nil {
					return
				}
			}
		}
	}()
	r, err := c.Receive()
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return fmt.Sprintf("held for %s", maxHold), errors.New("the server did not close the connection")
	}
	came := "the connection ended"
	if err == nil {
		came = read(r).String()
	}
	return fmt.Sprintf("%s after %.0f s", came, time.Since(began).Seconds()), s.checkAlive(patience)
}

// keepIdle makes a call, and then leaves the connection idle for longer than a client pauses between two calls.
func (s *server) keepIdle() (string, error) {
	const pause = 20 * time.Second
	c, err := s.dial(pause + patience)
	if err != nil {
		return "", err
	}
	defer c.Close()
	for _, wait := range []time.Duration{0, pause} {
		time.Sleep(wait)
		r, err := c.Do(s.call(1, request.Arguments))
		if err == nil {
			err = read(r).checkGood("1")
		}
		if err != nil {
			return "", fmt.Errorf("a call after %s failed: %w", wait, err)
		}
	}
	return fmt.Sprintf("used again after %s", pause), nil
}

// connectNarrow connects with a small receive buffer.
func (s *server) connectNarrow() (*drive.Conn, error) {
	c, err := s.Dial()
	if err == nil {
		err = c.Window(16 << 10)
	}
	return c, err
}
