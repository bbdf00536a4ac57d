package sdk

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// A slow writer blocks until it is released.
type slow struct {
	began, let chan struct{}
	got        bytes.Buffer
}

func (s *slow) Write(p []byte) (int, error) {
	s.began <- struct{}{}
	<-s.let
	return s.got.Write(p)
}

func TestLogIsBoundedAndCountsDroppedLines(t *testing.T) {
	to := &slow{began: make(chan struct{}, 3), let: make(chan struct{})}
	w := newLogWriter(to)
	line := strings.Repeat("x", 1023) + "\n"
	fmt.Fprint(w, "first\n")
	<-to.began // the write blocks there
	const fits = maxLog / 1024
	for range fits + 7 {
		if n, err := fmt.Fprint(w, line); n != len(line) || err != nil {
			t.Fatalf("Write = %d, %v", n, err)
		}
	}
	close(to.let)
	w.close()
	fmt.Fprint(w, "too late\n")
	w.close()
	want := "first\n" + strings.Repeat(line, fits) + "level=WARN msg=\"log lines dropped: standard error is not read fast enough\" lost=7\n"
	if got := to.got.String(); got != want {
		t.Errorf("%d bytes were written, want %d; the end is %.90q", len(got), len(want), got[max(0, len(got)-80):])
	}
}

func TestLogOutlivesItsReader(t *testing.T) {
	w := newLogWriter(broken{})
	for range 3 {
		if _, err := fmt.Fprintln(w, "hello"); err != nil {
			t.Error(err)
		}
	}
	w.close()
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("no reader") }

// A log that is never read does not keep a process alive.
func TestBlockedLogIsAbandoned(t *testing.T) {
	to := &slow{began: make(chan struct{}, 1), let: make(chan struct{})}
	w := newLogWriter(to)
	fmt.Fprintln(w, "hello")
	<-to.began
	w.close()
	close(to.let)
	<-w.done
}
