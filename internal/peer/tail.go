package peer

import (
	"bytes"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// longestTail is the maximum size of an incomplete line that is checked, in bytes.
const longestTail = 64 << 10

// A tail reads a stream of lines. It reports a complete message without the line break that must end it, because the
// server waits for a request, and the client for the rest of the line.
type tail struct {
	from   io.Reader
	report func([]byte)

	mu    sync.Mutex
	text  []byte // the incomplete line, or nil if it is too long
	timer *time.Timer
}

func newTail(from io.Reader, report func([]byte)) *tail {
	t := &tail{from: from, report: report, text: []byte{}}
	t.timer = time.AfterFunc(time.Hour, t.check)
	t.timer.Stop()
	return t
}

func (t *tail) Read(p []byte) (int, error) {
	n, err := t.from.Read(p)
	t.mu.Lock()
	defer t.mu.Unlock()
	more := p[:n]
	if end := bytes.LastIndexByte(more, '\n'); end >= 0 {
		t.text, more = []byte{}, more[end+1:]
	}
	if t.text != nil && len(t.text)+len(more) <= longestTail {
		t.text = append(t.text, more...)
	} else {
		t.text = nil
	}
	if bytes.HasSuffix(bytes.TrimSpace(t.text), []byte("}")) {
		t.timer.Reset(shortWait)
	} else {
		t.timer.Stop()
	}
	return n, err
}

func (t *tail) check() {
	t.mu.Lock()
	text := bytes.Clone(t.text)
	t.mu.Unlock()
	if jsontext.Value(text).IsValid() {
		t.report(text)
	}
}

// errNoBreak reports a message that does not end its line.
var errNoBreak = fmt.Errorf("%w: a message has no line break at its end", ErrMalformed)
