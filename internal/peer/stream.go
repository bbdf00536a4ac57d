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
	// retries is the maximum number of times that a stream without events is reopened.
	retries = 5
	// polls is the maximum number of times that a stream without messages is reopened after a short pause. After
	// that, the pause is at least as long as the default.
	polls = 100
	// longestID is the maximum length of an event id that is stored, in bytes.
	longestID = 4 << 10
	// shortestPause and longestPause limit the pause before a stream is reopened. The server chooses the pause.
	shortestPause, longestPause = 10 * time.Millisecond, time.Hour
)

// A stream is a stream of server-sent events (HTML, Server-sent events). Servers of older versions assign ids to
// events, and can resume after an id if the connection breaks (MCP 2025-11-25, Transports).
type stream struct {
	remote *remote
	// waiting is done when the messages of the stream are no longer needed.
	waiting context.Context
	// last is the id of the last event, or "" before the first event with an id.
	last string
	// pause is the time to wait before the stream is reopened.
	pause time.Duration
	// lasting is set if the stream continues after a response and can start again. final is set if it cannot be
	// reopened.
	lasting, final bool
	events         int
	polled         int // number of times that the stream was reopened since its last message
	// endpoint receives the data of the first event in the transport of version 2024-11-05. Otherwise, it is
	// nil.
	endpoint chan<- string
}

// errStreamEnded means that a stream ended before the response arrived. The server may still be running.
var errStreamEnded = fmt.Errorf("%w: its event stream ended", ErrEnded)

// follow reads a stream to its end, and reopens it if it ends early. It returns nil when the messages are no
// longer needed.
func (s *stream) follow(ctx context.Context, body io.ReadCloser) error {
	for idle := 0; ; {
		before := s.events
		err := s.read(body)
		_ = body.Close() // the relevant part has been read
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

// reopen reopens a stream after its last event. It tries several times if the server cannot be reached.
func (s *stream) reopen(ctx context.Context, idle *int) (io.ReadCloser, error) {
	for *idle < retries {
		*idle++
		if s.polled++; s.polled > polls {
			s.pause = max(s.pause, pausing)
		}
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

// read delivers the data of events until the stream ends, or the messages are no longer needed. It drops an
// incomplete event at the end.
func (s *stream) read(body io.Reader) error {
	in := bufio.NewReaderSize(body, 64<<10)
	limit := s.remote.limits.Message
	id, kind, data := s.last, "", []byte(nil)
	for {
		line, err := ReadLine(in, limit)
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
				if data = append(data, value...); len(data) > limit {
					return fmt.Errorf("%w: a message of more than %s", ErrTooMuch, size(limit))
				}
			case "event":
				kind = string(value)
			case "id":
				if len(value) <= longestID {
					id = string(value)
				}
			case "retry":
				s.setRetry(string(value))
			}
			continue
		}
		if id != s.last || len(data) > 0 {
			s.events++
		}
		s.last = id
		if s.endpoint != nil && len(data) > 0 {
			if kind != "endpoint" {
				return fmt.Errorf("%w: its stream does not begin with the endpoint event", ErrMalformed)
			}
			s.endpoint <- string(data)
			s.endpoint, data = nil, nil
		}
		kind = ""
		if len(data) > 0 && !s.remote.deliver(s.waiting, packet{data: data}) {
			_, _ = io.Copy(io.Discard, in) // read to the end, so that the connection can be reused
			return nil
		}
		if len(data) > 0 {
			s.polled = 0
		}
		data = nil
	}
}

// setRetry sets the pause to the number of milliseconds in text, which the server sent.
func (s *stream) setRetry(text string) {
	if n, err := strconv.ParseUint(text, 10, 32); err == nil {
		s.pause = min(max(time.Duration(n)*time.Millisecond, shortestPause), longestPause)
	}
}
