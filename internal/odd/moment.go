package odd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// A Moment is a transport together with the state in which the server receives a message.
type Moment struct {
	Name string
	// Send sends a message to a server that has received no other messages of the comparison. It returns the
	// answers as lines, in any order.
	Send func(context.Context, Message) ([]string, error)
}

// A Stream is connected to the input and output of a server. When the input is closed, the output ends.
type Stream struct {
	In  io.WriteCloser
	Out io.Reader
	// End waits until the server has ended.
	End func() error
}

// Names of the moments.
const (
	laterLine      = "later line"
	firstLine      = "first line"
	afterSetLevel  = "after logging/setLevel"
	inSession      = "HTTP session"
	withoutSession = "HTTP without a session"
	inOlderSession = "in a session"
)

// An Open starts a server and returns a stream connected to it.
type Open func(context.Context) (Stream, error)

// own is the prefix of the ids of requests that a moment itself sends.
const own = `"odd:`

const (
	initialize = `{"jsonrpc":"2.0","id":"odd:open","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"odd","version":"1"}}}`
	opened     = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
	setLevel   = `{"jsonrpc":"2.0","id":"odd:level","method":"logging/setLevel","params":{"level":"emergency"}}`
)

// callBefore returns an ordinary call to send before the message.
func callBefore(g Generation) string {
	return strings.Replace(g.call(good), `"id":`+id, `"id":"odd:before"`, 1)
}

// FirstLine sends a message on a stream as the first line or, in the generation with sessions, in the same write
// as the lines that open the session.
func FirstLine(open Open, g Generation) Moment {
	var lines []string
	if g == Sessions {
		lines = []string{initialize, opened}
	}
	return Moment{firstLine, func(ctx context.Context, m Message) ([]string, error) {
		return onStream(ctx, open, nil, append(lines[:len(lines):len(lines)], m.Text))
	}}
}

// LaterLine sends a message on a stream after the answer to a call.
func LaterLine(open Open, g Generation) Moment {
	steps := []string{callBefore(g)}
	if g == Sessions {
		steps = []string{initialize, opened + "\n" + callBefore(g)}
	}
	return Moment{laterLine, func(ctx context.Context, m Message) ([]string, error) {
		return onStream(ctx, open, steps, []string{m.Text})
	}}
}

// AfterSetLevel sends a message in a session on a stream whose client has set a log level.
func AfterSetLevel(open Open) Moment {
	steps := []string{initialize, opened + "\n" + setLevel}
	return Moment{afterSetLevel, func(ctx context.Context, m Message) ([]string, error) {
		return onStream(ctx, open, steps, []string{m.Text})
	}}
}

// InOlderSession sends a message on a stream whose client has opened a session.
func InOlderSession(open Open) Moment {
	steps := []string{initialize, opened + "\n" + callBefore(Sessions)}
	return Moment{inOlderSession, func(ctx context.Context, m Message) ([]string, error) {
		return onStream(ctx, open, steps, []string{m.Text})
	}}
}

// Start opens a session on a new stream if the generation has sessions, sends messages in the same write, and
// returns the answers, sorted.
func Start(ctx context.Context, open Open, g Generation, messages []Message) ([]string, error) {
	var lines []string
	if g == Sessions {
		lines = []string{initialize, opened}
	}
	for _, m := range messages {
		lines = append(lines, m.Text)
	}
	answers, err := onStream(ctx, open, nil, lines)
	for i, a := range answers {
		answers[i] = volatile.ReplaceAllString(a, "…")
	}
	slices.Sort(answers)
	return answers, err
}

// onStream sends steps, each after the answer to the previous step, and then sends all lines in one
// write. It returns the answers that arrive after the answers to the steps.
func onStream(ctx context.Context, open Open, steps, lines []string) (answers []string, err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	s, err := open(ctx)
	if err != nil {
		return nil, err
	}
	ended := make(chan error, 1)
	var out bytes.Buffer
	heard := make(chan struct{}, len(steps))
	go func() {
		ended <- listen(s.Out, &out, heard)
	}()
	for _, step := range steps {
		if _, err := io.WriteString(s.In, step+"\n"); err != nil {
			break // the output contains the answers so far
		}
		select {
		case <-heard:
		case <-ctx.Done():
			return nil, errors.Join(fmt.Errorf("no response to %s", step), s.End())
		}
	}
	_, _ = io.WriteString(s.In, strings.Join(lines, "\n")+"\n") // after an error, the output contains the answers so far
	_ = s.In.Close()
	err = errors.Join(<-ended, ctx.Err())
	_ = s.End() // the exit status is not compared
	for line := range strings.Lines(out.String()) {
		if !strings.Contains(line, own) {
			answers = append(answers, strings.TrimSuffix(line, "\n"))
		}
	}
	return answers, err
}

// listen copies lines, and reports each answer to a step.
func listen(from io.Reader, to *bytes.Buffer, heard chan<- struct{}) error {
	var rest []byte
	for buffer := make([]byte, 16<<10); ; {
		n, err := from.Read(buffer)
		to.Write(buffer[:n])
		rest = append(rest, buffer[:n]...)
		for {
			line, after, ok := bytes.Cut(rest, []byte("\n"))
			if !ok {
				break
			}
			if rest = after; bytes.Contains(line, []byte(own)) {
				select {
				case heard <- struct{}{}:
				default: // no step waits for this answer
				}
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}
