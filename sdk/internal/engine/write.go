package engine

import (
	"encoding/base64"
	"encoding/json"
	"io"
	"sync"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

const (
	// streamed is how much of a message is held before the rest of it is written piece by
	// piece: a long text is not copied as a whole.
	streamed = 64 << 10
	// piece is how much of a long text is encoded at once.
	piece = 16 << 10
)

// A Writer appends JSON. It holds what it has until that is long, and then hands it to
// Out, if there is one. It keeps the first error.
type Writer struct {
	Out io.Writer

	buf     []byte
	last    byte // before buf
	flushed bool
	err     error
}

var writers = sync.Pool{New: func() any { return &Writer{buf: make([]byte, 0, 2<<10)} }}

// NewWriter returns a writer, which is given back by [Writer.Free].
func NewWriter(out io.Writer) *Writer {
	w := writers.Get().(*Writer)
	w.Out = out
	return w
}

// Free gives w back.
func (w *Writer) Free() {
	if cap(w.buf) > 2*streamed {
		w.buf = nil
	}
	*w = Writer{buf: w.buf[:0]}
	writers.Put(w)
}

// Held returns what has not been handed to Out, and whether that is all there was.
func (w *Writer) Held() (data []byte, all bool) { return w.buf, !w.flushed }

// Flush hands what is held to Out, and returns the first error.
func (w *Writer) Flush() error {
	if len(w.buf) > 0 && w.err == nil {
		w.last = w.buf[len(w.buf)-1]
		_, w.err = w.Out.Write(w.buf)
	}
	w.buf, w.flushed = w.buf[:0], true
	return w.err
}

// Err returns the first error.
func (w *Writer) Err() error { return w.err }

func (w *Writer) spill() {
	if len(w.buf) >= streamed && w.Out != nil {
		_ = w.Flush() // which keeps the error
	}
}

// Raw appends JSON as it is.
func (w *Writer) Raw(text string) {
	for len(text) > piece && w.Out != nil {
		w.buf = append(w.buf, text[:piece]...)
		text = text[piece:]
		w.spill()
	}
	w.buf = append(w.buf, text...)
	w.spill()
}

// Bytes is Raw for bytes.
func (w *Writer) Bytes(text []byte) {
	if len(text) >= streamed && w.Out != nil {
		if w.Flush() == nil {
			_, w.err = w.Out.Write(text)
			w.last = text[len(text)-1]
		}
		return
	}
	w.buf = append(w.buf, text...)
	w.spill()
}

// Begin begins an object or an array, End ends it.
func (w *Writer) Begin(c byte) { w.buf = append(w.buf, c) }

// End ends what [Writer.Begin] began.
func (w *Writer) End(c byte) { w.buf = append(w.buf, c); w.spill() }

// Name appends the name of a member, and a comma before it if it is not the first.
func (w *Writer) Name(name string) {
	w.Comma()
	w.buf = append(append(append(w.buf, '"'), name...), '"', ':')
}

// Comma appends a comma unless an object or array has just begun.
func (w *Writer) Comma() {
	last := w.last
	if n := len(w.buf); n > 0 {
		last = w.buf[n-1]
	}
	if last != '{' && last != '[' {
		w.buf = append(w.buf, ',')
	}
}

// String appends text as a JSON string, without escaping what only HTML would have
// escaped. What is not UTF-8 is replaced.
func (w *Writer) String(text string) {
	if len(text) <= piece {
		w.quote(text)
		w.spill()
		return
	}
	w.buf = append(w.buf, '"')
	for len(text) > 0 {
		n := cut(text)
		from := len(w.buf)
		w.quote(text[:n])
		// The quotes of a piece stand within the text.
		w.buf = append(w.buf[:from], w.buf[from+1:len(w.buf)-1]...)
		text = text[n:]
		w.spill()
	}
	w.buf = append(w.buf, '"')
}

func (w *Writer) quote(text string) {
	// AppendQuote replaces what is not UTF-8, and reports that as an error.
	w.buf, _ = jsontext.AppendQuote(w.buf, text)
}

// cut returns the length of the next piece of a text, which ends between characters.
func cut(text string) int {
	if len(text) <= piece {
		return len(text)
	}
	for n := piece; n > piece-utf8.UTFMax; n-- {
		if utf8.RuneStart(text[n]) {
			return n
		}
	}
	return piece
}

// Base64 appends data as a JSON string of base64.
func (w *Writer) Base64(data []byte) {
	const whole = piece / 3 * 3 // of which each piece but the last is, so that none is padded
	w.buf = append(w.buf, '"')
	for len(data) > whole {
		w.buf = base64.StdEncoding.AppendEncode(w.buf, data[:whole])
		data = data[whole:]
		w.spill()
	}
	w.buf = append(base64.StdEncoding.AppendEncode(w.buf, data), '"')
}

// Value appends v as encoding/json does.
func (w *Writer) Value(v any) {
	data, err := json.Marshal(v)
	if err != nil && w.err == nil {
		w.err = err
	}
	w.Bytes(data)
}

// An Appender appends itself as JSON.
type Appender interface{ AppendTo(w *Writer) }

// rawJSON is JSON as it is.
type rawJSON []byte

// AppendTo appends j.
func (j rawJSON) AppendTo(w *Writer) { w.Bytes(j) }
