//go:build unix

package files_test

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/files"
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
		expectRefused(t, filepath.Join(dir, name), said)
		if after, err := os.Lstat(name); err != nil || after.Mode() != before.Mode() {
			t.Errorf("%s was %v, is %v, %v", name, before.Mode(), after.Mode(), err)
		}
	}
}

// The test binary also acts as a program that is killed while it updates a file.
func TestMain(m *testing.M) {
	if path := os.Getenv("KILLED_IN_UPDATE"); path != "" {
		edits := 0
		_, _ = files.Update(context.Background(), path, limit, func([]byte) ([]byte, error) {
			if edits++; edits == 2 { // this call holds the lock
				_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			}
			return []byte("lost"), nil
		})
	}
	os.Exit(m.Run())
}

// A killed update does not block the next one, and only a regular file can be a lock file.
func TestKilledInAnUpdate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	killed := exec.CommandContext(t.Context(), os.Args[0])
	killed.Env = append(os.Environ(), "KILLED_IN_UPDATE="+path)
	if err := killed.Run(); err == nil {
		t.Error("the program was not killed")
	}
	lock := filepath.Join(filepath.Dir(path), ".file.lock")
	expectContent(t, lock, "")
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	update := func() error {
		_, err := files.Update(ctx, path, limit, func([]byte) ([]byte, error) { return []byte("kept"), nil })
		return err
	}
	if err := update(); err != nil {
		t.Error(err)
	}
	expectContent(t, path, "kept")
	write(t, path, "mine", 0o600)
	link(t, path, lock)
	if err := update(); err == nil {
		t.Error("a link was accepted as a lock file")
	}
	expectContent(t, path, "mine")
}

// A new file has the owner and the group of the file that it replaces. Only root can give a file another owner.
func TestOwnersStay(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	write(t, path, "old", 0o640)
	uid, gid := os.Getuid(), os.Getgid()
	if uid == 0 {
		uid, gid = 12345, 23456
	}
	if err := os.Chown(path, uid, gid); err != nil {
		t.Fatal(err)
	}
	if _, err := files.Write(path, []byte("new"), 0o600); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if is, ok := info.Sys().(*syscall.Stat_t); !ok || int(is.Uid) != uid || int(is.Gid) != gid || info.Mode() != 0o640 {
		t.Errorf("%+v", info.Sys())
	}
}
