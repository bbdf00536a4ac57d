package stdio

import (
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

// A host that closes only its own direction of a socket still reads what the server writes.
func TestHalfClosedOutputIsRead(t *testing.T) {
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	own := os.NewFile(uintptr(pair[0]), "own")
	defer own.Close()
	if await(own, unix.POLLRDHUP, 0) || await(own, 0, 0) {
		t.Error("an open socket is closed")
	}
	if err := unix.Shutdown(pair[1], unix.SHUT_WR); err != nil {
		t.Fatal(err)
	}
	if !await(own, unix.POLLRDHUP, 0) {
		t.Error("the input has not ended")
	}
	if await(own, 0, 0) {
		t.Error("the host no longer reads the output")
	}
	if err := unix.Close(pair[1]); err != nil {
		t.Fatal(err)
	}
	if !inputEnded(own) || !ReaderGone(own) {
		t.Error("a closed socket is open")
	}
}
