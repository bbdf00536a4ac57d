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

	envelope envelope
	refused  error // why it is no message
}

// readLines feeds the lines of the input to Read until the input or the
// connection ends. It runs beside Read so that closing need not wait for input, and
// starts calls that can begin at once.
func (c *conn) readLines() {
	defer close(c.lines)
	r := bufio.NewReaderSize(c.in, 64<<10)
	l := new(line)
	var passed uint64 // lines to Read
	for first := true; ; first = false {
		l.read(r, c.maxLine)
		if first {
			l.text = bytes.TrimPrefix(l.text, []byte("\xef\xbb\xbf"))
		}
		l.text = bytes.TrimSpace(l.text)
		if len(l.text) == 0 && !l.tooLong && l.err == nil || c.begins(l, passed) {
			continue
		}
		passed++
		select {
		case c.lines <- l:
		case <-c.closed:
			return
		}
		if l.err != nil {
			return
		}
		l = new(line)
	}
}

// begins reads the message of a line, and has it answered if it is a call that is
// answered here and may begin: what Read was passed before, it has dealt with.
func (c *conn) begins(l *line, passed uint64) bool {
	if l.tooLong || l.err != nil {
		return false
	}
	if l.refused = readEnvelope(l.text, &l.envelope); l.refused != nil {
		return false
	}
	h := c.handlerOf(&l.envelope)
	if h == nil || c.dealt.Load() != passed || c.full() {
		return false
	}
	l.refused = c.run(h, &l.envelope, len(l.text))
	return l.refused == nil
}

// read reads the next line. Of one longer than limit it keeps nothing. Text that the
// end of input cuts off still counts as a line.
func (l *line) read(r *bufio.Reader, limit int) {
	l.text, l.tooLong = nil, false
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
			if need := len(l.text) + len(part); need > cap(l.text) && len(l.text) > 0 {
				// By doubling, so that a long line leaves little behind.
				l.text = append(make([]byte, 0, max(2*cap(l.text), need)), l.text...)
			}
			l.text = append(l.text, part...)
		}
		switch err {
		case nil:
			return
		case bufio.ErrBufferFull:
			continue
		case io.EOF:
			if len(bytes.TrimSpace(l.text)) > 0 || l.tooLong {
				return
			}
		}
		l.err = err
		return
	}
}
