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

// A Moment is when a message comes to a server, and by which wire.
type Moment struct {
	Name string
	// Send sends a message to a server that has been sent nothing by other messages, and
	// returns the lines of what answers it, in any order.
	Send func(context.Context, Message) ([]string, error)
}

// A Stream is a server with a client at its input and output. Once the input is closed,
// the output ends.
type Stream struct {
	In  io.WriteCloser
	Out io.Reader
	// End returns when the server has ended.
	End func() error
}

// The names of the moments.
const (
	laterLine      = "later line"
	firstLine      = "first line"
	afterSetLevel  = "after logging/setLevel"
	inSession      = "HTTP session"
	withoutSession = "HTTP without a session"
)

// An Open starts a server on a stream.
type Open func(context.Context) (Stream, error)

// own begins the ids of what a moment itself sends.
const own = `"odd:`

const (
	initialize = `{"jsonrpc":"2.0","id":"odd:open","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"odd","version":"1"}}}`
	opened     = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
	setLevel   = `{"jsonrpc":"2.0","id":"odd:level","method":"logging/setLevel","params":{"level":"emergency"}}`
)

// before returns an ordinary call.
func before(g Generation) string {
	return strings.Replace(g.call(good), `"id":`+id, `"id":"odd:before"`, 1)
}

// FirstLine sends a message on a stream as the first, or in the generation with sessions
// as what follows the opening of one, all in one go.
func FirstLine(open Open, g Generation) Moment {
	var lines []string
	if g == Sessions {
		lines = []string{initialize, opened}
	}
	return Moment{firstLine, func(ctx context.Context, m Message) ([]string, error) {
		return onStream(ctx, open, nil, append(lines[:len(lines):len(lines)], m.Text))
	}}
}

// LaterLine sends a message on a stream when a call has been answered.
func LaterLine(open Open, g Generation) Moment {
	steps := []string{before(g)}
	if g == Sessions {
		steps = []string{initialize, opened + "\n" + before(g)}
	}
	return Moment{laterLine, func(ctx context.Context, m Message) ([]string, error) {
		return onStream(ctx, open, steps, []string{m.Text})
	}}
}

// AfterSetLevel sends a message in a session on a stream whose client has set the level
// of what it wants to hear.
func AfterSetLevel(open Open) Moment {
	steps := []string{initialize, opened + "\n" + setLevel}
	return Moment{afterSetLevel, func(ctx context.Context, m Message) ([]string, error) {
		return onStream(ctx, open, steps, []string{m.Text})
	}}
}

// Start opens a session on a stream of its own, in the generation that has them, sends
// messages with it in one write, and returns what answers them, sorted.
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

// onStream sends steps, of which each is answered before the next, then lines in one go,
// and returns what answers to the last of them are written up to the end.
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
			break // what the server has said of it is in its output
		}
		select {
		case <-heard:
		case <-ctx.Done():
			return nil, errors.Join(fmt.Errorf("%s is not answered", step), s.End())
		}
	}
	_, _ = io.WriteString(s.In, strings.Join(lines, "\n")+"\n") // the same
	_ = s.In.Close()
	err = errors.Join(<-ended, ctx.Err())
	_ = s.End() // how a server ends is not what is compared
	for line := range strings.Lines(out.String()) {
		if !strings.Contains(line, own) {
			answers = append(answers, strings.TrimSuffix(line, "\n"))
		}
	}
	return answers, err
}

// listen copies lines and tells of each that answers a step.
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
				default: // nobody waits for it
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
