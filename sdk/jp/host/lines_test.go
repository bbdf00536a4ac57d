package host

import (
	"bufio"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
)

func TestReadLine(t *testing.T) {
	long := strings.Repeat("x", 200)
	r := bufio.NewReaderSize(strings.NewReader("\n\r\na\r\n\nb c\n"+long+"\nlast"), 16)
	var got []string
	for {
		line, err := readLine(r)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, string(line))
	}
	if want := []string{"a", "b c", long, "last"}; !slices.Equal(got, want) {
		t.Errorf("read %q, want %q", got, want)
	}
}

// endless is a line without end.
type endless struct{}

func (endless) Read(b []byte) (int, error) { return len(b), nil }

func TestReadLineIsBounded(t *testing.T) {
	if _, err := readLine(bufio.NewReaderSize(endless{}, 1<<20)); !errors.Is(err, errLineTooLong) {
		t.Errorf("err = %v", err)
	}
}
