package sdk

import (
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"time"
)

// newLog returns a logger that writes records at or above the given level to w as text.
func newLog(w io.Writer, level string) (*slog.Logger, error) {
	var l slog.Level
	if err := l.UnmarshalText([]byte(strings.ToUpper(level))); err != nil {
		return nil, fmt.Errorf("invalid --log-level %q (known: debug, info, warn, error)", level)
	}
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: l})), nil
}

const (
	maxLog   = 256 << 10              // maximum size of the pending records in bytes
	flushing = 200 * time.Millisecond // time limit for writing the pending records when the process ends
)

// A logWriter writes the log in its own goroutine, so that a host that does not read the log cannot
// block the server. It counts dropped lines and ignores write errors.
type logWriter struct {
	to    io.Writer
	start sync.Once     // starts run
	wake  chan struct{} // closed by close
	done  chan struct{}

	mu      sync.Mutex
	waiting []byte
	lost    int
	closed  bool
}

func newLogWriter(to io.Writer) *logWriter {
	return &logWriter{to: to, wake: make(chan struct{}, 1), done: make(chan struct{})}
}

// Write accepts whole lines. It neither fails nor blocks.
func (w *logWriter) Write(lines []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed || len(w.waiting)+len(lines) > maxLog {
		w.lost++
		return len(lines), nil
	}
	w.waiting = append(w.waiting, lines...)
	w.start.Do(func() { go w.run() })
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
			out = fmt.Appendf(out, "level=WARN msg=\"log lines dropped: standard error is not read fast enough\" lost=%d\n", lost)
		}
		_, _ = w.to.Write(out)
		spare = out
	}
}

// close waits briefly until pending records are written. Later records are lost.
func (w *logWriter) close() {
	w.mu.Lock()
	w.start.Do(func() { close(w.done) })
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
