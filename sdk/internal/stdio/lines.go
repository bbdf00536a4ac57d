package stdio

import (
	"bufio"
	"bytes"
	"io"
)

type reader struct {
	from  *bufio.Reader
	limit int // maximum line length in bytes
}

func newReader(from io.Reader, limit int) *reader {
	return &reader{from: bufio.NewReaderSize(from, 16<<10), limit: limit}
}

// FirstLine returns the first line of a stream, and does not wait for the end of the stream. tooLong means that it has
// more than limit bytes. Text without a final newline counts as a line; at the end of the stream, text is empty.
func FirstLine(from io.Reader, limit int) (text []byte, tooLong bool, err error) {
	text, tooLong, err = newReader(io.LimitReader(from, int64(limit)+1), limit).line()
	if err == io.EOF {
		err = nil
	}
	return text, tooLong, err
}

// line returns the next line in newly allocated memory. If it exceeds the limit, tooLong is
// true and text is nil. Text without a final newline counts as a line.
func (r *reader) line() (text []byte, tooLong bool, err error) {
	for {
		part, err := r.from.ReadSlice('\n')
		size := len(text) + len(part)
		if err == nil {
			size-- // without the newline
		}
		if tooLong = tooLong || size > r.limit; tooLong {
			text, part = nil, nil
		}
		if need := len(text) + len(part); need > cap(text) && len(text) > 0 {
			// Double the size, so that a long line leaves little garbage.
			text = append(make([]byte, 0, max(2*cap(text), need)), text...)
		}
		text = append(text, part...)
		switch {
		case err == bufio.ErrBufferFull:
		case err == nil, err == io.EOF && (tooLong || len(bytes.TrimSpace(text)) > 0):
			return text, tooLong, nil
		default:
			return nil, false, err
		}
	}
}
