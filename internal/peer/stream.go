package peer

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"
)

const (
	// retries is how often a stream is opened again that brings nothing.
	retries = 5
	// longestID is the longest id of an event that is kept, in bytes.
	longestID = 4 << 10
	// shortestPause and longestPause bound how long a stream may have its client wait before it is opened again.
	shortestPause, longestPause = 10 * time.Millisecond, time.Hour
)

// A stream is one of server-sent events (HTML, Server-sent events). Servers of older versions name their events,
// and go on after one of them where the connection broke (MCP 2025-11-25, Transports).
type stream struct {
	remote *remote
	// waiting ends when no one waits for what the stream brings.
	waiting context.Context
	// last is the id of the last event, "" for none.
	last string
	// pause is how long to wait before the stream is opened again.
	pause time.Duration
	// lasting says that no answer ends the stream, and that it can start anew; final that it cannot be opened again.
	lasting, final bool
	events         int
}

// errStreamEnded says that one answer will not come; the server may live on.
var errStreamEnded = fmt.Errorf("%w: its stream of events ended", ErrEnded)

// follow reads a stream to its end, and opens it again where it ends too early. It returns nil when no one waits
// for more.
func (s *stream) follow(ctx context.Context, body io.ReadCloser) error {
	for idle := 0; ; {
		before := s.events
		err := s.read(body)
		_ = body.Close() // all of it that counts has been read
		switch {
		case s.waiting.Err() != nil:
			return nil
		case err != nil:
			return err
		case s.final || s.last == "" && !s.lasting:
			return errStreamEnded
		case s.events > before:
			idle = 0
		}
		if body, err = s.reopen(ctx, &idle); err != nil {
			return err
		}
	}
}

// reopen opens a stream again, after its last event. A server that cannot be reached is tried several times.
func (s *stream) reopen(ctx context.Context, idle *int) (io.ReadCloser, error) {
	for *idle < retries {
		*idle++
		timer := time.NewTimer(s.pause)
		select {
		case <-s.waiting.Done():
			timer.Stop()
			return nil, errStreamEnded
		case <-timer.C:
		}
		body, err := s.remote.get(ctx, s.last)
		if _, refused := errors.AsType[*statusError](err); refused {
			return nil, errStreamEnded
		}
		if err == nil {
			return body, nil
		}
	}
	return nil, errStreamEnded
}

// read delivers the data of events until the stream ends, or no one waits for them. An event that lacks its end
// is dropped.
func (s *stream) read(body io.Reader) error {
	in := bufio.NewReaderSize(body, 64<<10)
	most := s.remote.limits.Message
	id, data := s.last, []byte(nil)
	for {
		line, err := ReadLine(in, most)
		if errors.Is(err, ErrEnded) {
			return nil
		}
		if err != nil {
			return err
		}
		line = bytes.TrimSuffix(line, []byte("\r"))
		if len(line) > 0 {
			name, value, _ := bytes.Cut(line, []byte(":"))
			value = bytes.TrimPrefix(value, []byte(" "))
			switch string(name) {
			case "data":
				if len(data) > 0 {
					data = append(data, '\n')
				}
				if data = append(data, value...); len(data) > most {
					return fmt.Errorf("%w: a message of more than %s", ErrTooMuch, size(most))
				}
			case "id":
				if len(value) <= longestID {
					id = string(value)
				}
			case "retry":
				s.wait(string(value))
			}
			continue
		}
		if id != s.last || len(data) > 0 {
			s.events++
		}
		s.last = id
		if len(data) > 0 && !s.remote.deliver(s.waiting, packet{data: data}) {
			_, _ = io.Copy(io.Discard, in) // to its end, so that the connection can be used again
			return nil
		}
		data = nil
	}
}

// wait takes the pause that a server wants, in milliseconds.
func (s *stream) wait(text string) {
	if n, err := strconv.ParseUint(text, 10, 32); err == nil {
		s.pause = min(max(time.Duration(n)*time.Millisecond, shortestPause), longestPause)
	}
}
