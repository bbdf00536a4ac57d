package stdio

import (
	"bufio"
	"bytes"
	"io"
)

// A line is one line of input, or the error that ended it.
type line struct {
	text    []byte
	tooLong bool
	err     error
}

// readLines feeds the lines of the input to Read until the input or the
// connection ends. It runs beside Read so that closing need not wait for input.
func (c *conn) readLines() {
	defer close(c.lines)
	r := bufio.NewReaderSize(c.in, 64<<10)
	for first := true; ; first = false {
		l := readLine(r, c.maxLine)
		if first {
			l.text = bytes.TrimPrefix(l.text, []byte("\xef\xbb\xbf"))
		}
		l.text = bytes.TrimSpace(l.text)
		if len(l.text) == 0 && !l.tooLong && l.err == nil {
			continue
		}
		select {
		case c.lines <- l:
		case <-c.closed:
			return
		}
		if l.err != nil {
			return
		}
	}
}

// readLine returns the next line. Of one longer than limit it keeps nothing. Text
// that the end of input cuts off still counts as a line.
func readLine(r *bufio.Reader, limit int) line {
	var l line
	for {
		part, err := r.ReadSlice('\n')
		size := len(l.text) + len(part)
		if err == nil {
			size-- // the newline
		}
		if !l.tooLong && size > limit {
			l.tooLong, l.text = true, nil
		}
		if !l.tooLong {
			l.text = append(l.text, part...)
		}
		switch err {
		case nil:
			return l
		case bufio.ErrBufferFull:
			continue
		case io.EOF:
			if len(bytes.TrimSpace(l.text)) > 0 || l.tooLong {
				return l
			}
		}
		l.err = err
		return l
	}
}
