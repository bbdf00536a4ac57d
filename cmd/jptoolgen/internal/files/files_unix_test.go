//go:build unix

package files_test

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// Pipes, sockets and devices are neither opened nor replaced.
func TestPipesAndDevicesAreRefused(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir) // the path of a socket must be short
	if err := syscall.Mkfifo("pipe", 0o600); err != nil {
		t.Fatal(err)
	}
	socket, err := net.Listen("unix", "socket")
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	link(t, "pipe", "link")
	link(t, os.DevNull, "null")
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	link(t, fmt.Sprintf("/dev/fd/%d", w.Fd()), "open")
	for name, said := range map[string]string{
		"pipe":   "pipe\" is a pipe; use a regular file",
		"socket": "is a socket; use a regular file",
		"link":   "pipe\", which is a pipe; use a regular file",
		"open":   "a pipe; use a regular file",
		"null":   "is a link to \"/dev/null\", which is a device; use a regular file",
	} {
		before, err := os.Lstat(name)
		if err != nil {
			t.Fatal(err)
		}
		refused(t, filepath.Join(dir, name), said)
		if after, err := os.Lstat(name); err != nil || after.Mode() != before.Mode() {
			t.Errorf("%s was %v, is %v, %v", name, before.Mode(), after.Mode(), err)
		}
	}
}
