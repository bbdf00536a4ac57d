package peer

import (
	"bytes"
	"errors"
	"io"
	"net"
	"slices"
	"strings"
	"testing"
)

// A script is a stream with fixed input that discards what is written.
type script struct{ io.Reader }

func (script) Write(p []byte) (int, error) { return len(p), nil }
func (script) Close() error                { return nil }

func TestLines(t *testing.T) {
	long := strings.Repeat("x", 1<<17)
	l := NewLines(script{strings.NewReader("a\n\nb c\r\n" + long + "\nlast")}, 1<<18)
	var got []string
	for {
		line, err := l.Receive()
		if err != nil {
			if !errors.Is(err, ErrEnded) {
				t.Error(err)
			}
			break
		}
		got = append(got, string(line))
	}
	if want := []string{"a", "", "b c\r", long, "last"}; !slices.Equal(got, want) {
		t.Errorf("received %.100q, want %.100q", got, want)
	}
	if err := errors.Join(l.Close(), l.Close()); err != nil {
		t.Error(err)
	}
	if _, err := l.Receive(); !errors.Is(err, ErrEnded) {
		t.Errorf("receiving after the end: %v", err)
	}
}

func TestLinesAreBounded(t *testing.T) {
	l := NewLines(script{bytes.NewReader(make([]byte, 100))}, 99)
	if _, err := l.Receive(); !errors.Is(err, ErrTooMuch) {
		t.Errorf("a line that is too long: %v", err)
	}
	_ = l.Close()
	ours, theirs := net.Pipe() // theirs is not read
	defer theirs.Close()
	l = NewLines(ours, 1)
	var err error
	for sent := 0; err == nil && sent <= 2*queued; sent++ {
		err = l.Send(t.Context(), []byte("x"))
	}
	if !errors.Is(err, ErrSilent) {
		t.Errorf("sending to a server that does not read: %v", err)
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
}
