package sdk

import (
	"fmt"
	"io"
	"sync"
	"time"
)

const (
	// mostLogged is how many bytes of the log wait to be written.
	mostLogged = 256 << 10
	// flushing is how long the end of a process waits for its log to be taken.
	flushing = 200 * time.Millisecond
)

// A logWriter writes a log by a goroutine of its own, so that nobody who logs waits
// for whoever reads: a host that does not read the standard error of its server must
// not stop it. Of lines that find no room it keeps the number, and of a writer that
// fails it takes no notice.
type logWriter struct {
	to   io.Writer
	wake chan struct{} // closed by close
	done chan struct{}

	mu      sync.Mutex
	waiting []byte
	lost    int
	closed  bool
}

func newLogWriter(to io.Writer) *logWriter {
	w := &logWriter{to: to, wake: make(chan struct{}, 1), done: make(chan struct{})}
	go w.run()
	return w
}

// Write takes one or more whole lines. It never fails and never waits.
func (w *logWriter) Write(lines []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed || len(w.waiting)+len(lines) > mostLogged {
		w.lost++
		return len(lines), nil
	}
	w.waiting = append(w.waiting, lines...)
	select {
	case w.wake <- struct{}{}:
	default:
	}
	return len(lines), nil
}

func (w *logWriter) run() {
	defer close(w.done)
	var spare []byte
	for range w.wake {
		w.mu.Lock()
		out, lost := w.waiting, w.lost
		w.waiting, w.lost = spare[:0], 0
		w.mu.Unlock()
		if lost > 0 {
			out = fmt.Appendf(out, "level=WARN msg=\"the log was not read fast enough\" lost=%d\n", lost)
		}
		_, _ = w.to.Write(out)
		spare = out
	}
}

// close writes what waits, as far as it is taken within a moment. What is logged
// later is lost.
func (w *logWriter) close() {
	w.mu.Lock()
	if !w.closed {
		w.closed = true
		close(w.wake)
	}
	w.mu.Unlock()
	select {
	case <-w.done:
	case <-time.After(flushing):
	}
}
