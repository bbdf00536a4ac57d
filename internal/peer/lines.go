package peer

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
)

// queued is the maximum number of messages that wait for a server that does not read.
const queued = 1024

// Lines sends and receives messages over a stream, one per line.
type Lines struct {
	stream io.ReadWriteCloser
	limit  int // maximum size of a message in bytes

	queue   chan []byte
	packets chan packet
	done    chan struct{}
	tasks   sync.WaitGroup
	stop    func() error
}

// NewLines returns Lines over a stream. A message has at most the given number of bytes. [Lines.Close] closes
// the stream.
func NewLines(stream io.ReadWriteCloser, limit int) *Lines {
	l := &Lines{
		stream: stream, limit: limit,
		queue: make(chan []byte, queued), packets: make(chan packet), done: make(chan struct{}),
	}
	l.stop = sync.OnceValue(func() error {
		close(l.done)
		err := stream.Close()
		l.tasks.Wait()
		return err
	})
	l.tasks.Go(l.read)
	l.tasks.Go(l.write)
	return l
}

// Send queues a message. It does not wait for the server to read it.
func (l *Lines) Send(ctx context.Context, message []byte) error {
	select {
	case l.queue <- append(message, '\n'):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-l.done:
		return ErrEnded
	default:
		return fmt.Errorf("%w: it is not reading its input", ErrSilent)
	}
}

// Receive returns the next message. After an error, there are no further messages.
func (l *Lines) Receive() ([]byte, error) {
	select {
	case p := <-l.packets:
		return p.data, p.err
	case <-l.done:
		return nil, ErrEnded
	}
}

// Close closes the stream and returns its error. Every call returns the same error.
func (l *Lines) Close() error { return l.stop() }

func (l *Lines) send(ctx context.Context, r request) error { return l.Send(ctx, r.data) }
func (l *Lines) incoming() <-chan packet                   { return l.packets }
func (l *Lines) setVersion(string)                         {}
func (l *Lines) listen(context.Context)                    {}
func (l *Lines) forget()                                   {}
func (l *Lines) isHTTP() bool                              { return false }
func (l *Lines) close() error                              { return l.Close() }

func (l *Lines) write() {
	for {
		select {
		case line := <-l.queue:
			if _, err := l.stream.Write(line); err != nil {
				return // read reports the error
			}
		case <-l.done:
			return
		}
	}
}

func (l *Lines) read() {
	t := newTail(l.stream, func(text []byte) {
		select {
		case l.packets <- packet{data: text, err: errNoBreak}:
		case <-l.done:
		}
	})
	defer t.timer.Stop()
	r := bufio.NewReaderSize(t, 64<<10)
	for {
		line, err := ReadLine(r, l.limit)
		select {
		case l.packets <- packet{data: line, err: err}:
		case <-l.done:
			return
		}
		if err != nil {
			return
		}
	}
}

// ReadLine returns the next line without its newline. The last line may have no newline. ReadLine returns
// [ErrTooMuch] if the line has more than limit bytes, and [ErrEnded] if there is no line.
func ReadLine(r *bufio.Reader, limit int) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		if len(line)+len(part) > limit {
			return nil, fmt.Errorf("%w: a message of more than %s", ErrTooMuch, size(limit))
		}
		line = append(line, part...)
		switch {
		case err == nil:
			return line[:len(line)-1], nil
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF) && len(line) > 0:
			return line, nil
		default:
			return nil, ErrEnded
		}
	}
}

func size(n int) string {
	if n >= 1<<20 {
		return fmt.Sprintf("%d MiB", n>>20)
	}
	return fmt.Sprintf("%d bytes", n)
}
