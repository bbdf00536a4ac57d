package rpc

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/rawjson"
)

const (
	streamed = 64 << 10 // the number of buffered bytes after which they are written to Out
	piece    = 16 << 10 // the number of bytes of long text that are encoded in one step
)

// A Writer appends JSON to a buffer. It writes a long buffer to Out, if set, and keeps the first
// error.
type Writer struct {
	Out     io.Writer
	buf     []byte
	last    byte // the last byte written to Out
	flushed bool
	err     error
}

var writers = sync.Pool{New: func() any { return &Writer{buf: make([]byte, 0, 2<<10)} }}

// NewWriter returns a writer from the pool. [Writer.Free] returns it.
func NewWriter(out io.Writer) *Writer {
	w := writers.Get().(*Writer)
	w.Out = out
	return w
}

// Free returns w to the pool.
func (w *Writer) Free() {
	if cap(w.buf) > 2*streamed {
		w.buf = nil
	}
	*w = Writer{buf: w.buf[:0]}
	writers.Put(w)
}

// Held returns the buffered data, and whether nothing has been written to Out yet.
func (w *Writer) Held() (data []byte, all bool) { return w.buf, !w.flushed }

// Flush writes the buffer to Out and returns the first error.
func (w *Writer) Flush() error {
	if len(w.buf) > 0 && w.err == nil {
		w.last = w.buf[len(w.buf)-1]
		_, w.err = w.Out.Write(w.buf)
	}
	w.buf, w.flushed = w.buf[:0], true
	return w.err
}

func (w *Writer) flushIfLarge() {
	if len(w.buf) >= streamed && w.Out != nil {
		_ = w.Flush() // w keeps the error
	}
}

// Raw appends JSON text unchanged.
func (w *Writer) Raw(text string) *Writer { return raw(w, text) }

// Bytes is like Raw, but for bytes.
func (w *Writer) Bytes(text []byte) { raw(w, text) }

func raw[T string | []byte](w *Writer, text T) *Writer {
	for len(text) > piece && w.Out != nil {
		w.buf = append(w.buf, text[:piece]...)
		text = text[piece:]
		w.flushIfLarge()
	}
	w.buf = append(w.buf, text...)
	w.flushIfLarge()
	return w
}

// Begin opens an object or array, after a comma unless it is the first element.
func (w *Writer) Begin(c byte) *Writer {
	w.Comma()
	w.buf = append(w.buf, c)
	return w
}

// End closes an object or array.
func (w *Writer) End(c byte) { w.buf = append(w.buf, c); w.flushIfLarge() }

// Name appends a member name, after a comma unless it is the first. The value follows.
func (w *Writer) Name(name string) *Writer {
	w.Comma()
	w.buf = append(append(append(w.buf, '"'), name...), '"', ':')
	return w
}

// Comma appends a comma after a value.
func (w *Writer) Comma() {
	last := w.last
	if n := len(w.buf); n > 0 {
		last = w.buf[n-1]
	}
	switch last {
	case 0, '{', '[', ':':
	default:
		w.buf = append(w.buf, ',')
	}
}

// String appends a JSON string without HTML escapes. Invalid UTF-8 is replaced.
func (w *Writer) String(text string) {
	if len(text) <= piece {
		w.buf, _ = jsontext.AppendQuote(w.buf, text) // reports invalid UTF-8, which it has replaced
		w.flushIfLarge()
		return
	}
	w.buf = append(w.buf, '"')
	for len(text) > 0 {
		n, from := cut(text), len(w.buf)
		w.buf, _ = jsontext.AppendQuote(w.buf, text[:n])
		w.buf = append(w.buf[:from], w.buf[from+1:len(w.buf)-1]...) // without quotes
		text = text[n:]
		w.flushIfLarge()
	}
	w.buf = append(w.buf, '"')
}

// cut returns the length of the next piece, which ends at a rune boundary.
func cut(text string) int {
	n := min(piece, len(text))
	for back := range utf8.UTFMax {
		if n == len(text) || utf8.RuneStart(text[n-back]) {
			return n - back
		}
	}
	return n
}

// Base64 appends data as a base64 JSON string.
func (w *Writer) Base64(data []byte) {
	const whole = piece / 3 * 3 // a multiple of 3, so that only the last piece is padded
	w.buf = append(w.buf, '"')
	for len(data) > whole {
		w.buf = base64.StdEncoding.AppendEncode(w.buf, data[:whole])
		data = data[whole:]
		w.flushIfLarge()
	}
	w.buf = append(base64.StdEncoding.AppendEncode(w.buf, data), '"')
}

// Value appends v as encoding/json encodes it, without HTML escapes.
func (w *Writer) Value(v any) {
	data, err := rawjson.Encode(v)
	if err != nil && w.err == nil {
		w.err = err
	}
	w.Bytes(data)
}

// An Appender appends itself as JSON.
type Appender interface{ AppendTo(w *Writer) }

// AppenderFunc adapts a function to [Appender].
type AppenderFunc func(w *Writer)

// AppendTo calls f.
func (f AppenderFunc) AppendTo(w *Writer) { f(w) }

// JSON is JSON text as an [Appender].
type JSON []byte

// AppendTo appends the text.
func (j JSON) AppendTo(w *Writer) { w.Bytes(j) }

// Error codes of JSON-RPC and MCP.
const (
	CodeParse          = -32700
	CodeInvalidRequest = -32600
	CodeMethodNotFound = -32601
	CodeInvalidParams  = -32602
	CodeInternal       = -32603
	// CodeEnded reports that the server shut down before it answered. JSON-RPC leaves -32000 to
	// -32099 to servers.
	CodeEnded = -32000
	// CodeNoResource reports that a resource does not exist, before 2026-07-28 (MCP 2025-11-25, Resources, Error Handling).
	CodeNoResource = -32002
	// MCP 2026-07-28 defines these codes.
	CodeHeaderMismatch     = -32020
	CodeMissingCapability  = -32021
	CodeUnsupportedVersion = -32022
)

// An Error is a JSON-RPC error.
type Error struct {
	Code    int             `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data,omitempty"`
	// Scopes are the OAuth scopes that the request needs, if the caller lacks one of them.
	Scopes []string `json:"-"`
}

// LacksScopes returns the error for a request that needs scopes that its caller lacks.
func LacksScopes(needs []string) *Error {
	return &Error{Code: CodeInvalidRequest, Message: "the token lacks a scope; the request needs " + strings.Join(needs, " "), Scopes: needs}
}

func (e *Error) Error() string { return e.Message }

// Invalid returns the error for invalid params.
func Invalid(message string) *Error {
	return &Error{Code: CodeInvalidParams, Message: "invalid params: " + message}
}

// NotFound returns the error for a method that the client cannot call. The message may be "".
func NotFound(message string) *Error {
	if message != "" {
		message = ": " + message
	}
	return &Error{Code: CodeMethodNotFound, Message: "method not found" + message}
}

// BadRequest returns the error for a message that is not a valid request.
func BadRequest(message string) *Error {
	return &Error{Code: CodeInvalidRequest, Message: "invalid request: " + message}
}

// An Answer is the response to a request: a result or an error.
type Answer struct {
	ID     []byte // JSON text, or nil if unknown
	Result Appender
	Error  *Error
	// Last is set if the goroutine that sends the response ends, so that nothing flushes the response later.
	Last bool
}

// AppendTo appends the message.
func (a *Answer) AppendTo(w *Writer) {
	w.Raw(`{"jsonrpc":"2.0","id":`)
	if len(a.ID) == 0 {
		w.Raw("null")
	}
	w.Bytes(a.ID)
	if a.Error != nil {
		w.Name("error").Value(a.Error)
	} else {
		w.Name("result")
		a.Result.AppendTo(w)
	}
	w.End('}')
}

// Encode appends the message, or an internal error in its place. If part of the message has been
// written to w.Out already, Encode returns the error.
func (a *Answer) Encode(w *Writer) (err error) {
	start := len(w.buf)
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("encoding a response: %v", p)
		}
		if err == nil || w.flushed {
			return
		}
		w.buf, w.err = w.buf[:start], nil
		failed := Answer{ID: a.ID, Error: &Error{Code: CodeInternal, Message: "internal error: the result cannot be encoded"}}
		failed.AppendTo(w)
		err = nil
	}()
	a.AppendTo(w)
	return w.err
}

// Member appends a string member unless the text is empty.
func (w *Writer) Member(name, text string) {
	if text != "" {
		w.Name(name).String(text)
	}
}

// Encoded returns a as JSON.
func Encoded(a Appender) ([]byte, error) {
	w := NewWriter(nil)
	defer w.Free()
	a.AppendTo(w)
	return bytes.Clone(w.buf), w.err
}
