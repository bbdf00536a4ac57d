package target

import (
	"io"
	"strings"
	"sync"
)

// An ending keeps the end of the text that is written to it.
type ending struct {
	also io.Writer

	mu   sync.Mutex
	text []byte
}

// lastWords is the number of bytes to keep.
const lastWords = 2 << 10

// Write never fails, so that the server can keep writing even if its output cannot be shown.
func (e *ending) Write(p []byte) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.also != nil {
		_, _ = e.also.Write(p) // a closed terminal must not stop the server
		return len(p), nil
	}
	if len(p) > lastWords {
		e.text = append(e.text[:0], p[len(p)-lastWords:]...)
		return len(p), nil
	}
	if e.text = append(e.text, p...); len(e.text) > lastWords {
		e.text = append(e.text[:0], e.text[len(e.text)-lastWords:]...)
	}
	return len(p), nil
}

// Reset discards the text before a server is started again.
func (e *ending) Reset() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.text = nil
}

// String returns the last lines, at most ten.
func (e *ending) String() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	lines := strings.Split(strings.TrimSpace(string(e.text)), "\n")
	if len(lines) > 10 {
		lines = lines[len(lines)-10:]
	}
	return strings.Join(lines, "\n")
}
