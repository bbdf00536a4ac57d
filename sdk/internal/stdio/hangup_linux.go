package stdio

import (
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// hungUp waits until nobody can write to the file that in is any more, whether or not
// all that was written has been read, and reports that. It reports false at once for
// what is no file.
func hungUp(in io.Reader) bool {
	file, ok := in.(*os.File)
	if !ok {
		return false
	}
	conn, err := file.SyscallConn()
	if err != nil {
		return false
	}
	// A duplicate, so that closing the file does not wait for this.
	dup := -1
	if err := conn.Control(func(fd uintptr) { dup, err = unix.FcntlInt(fd, unix.F_DUPFD_CLOEXEC, 0) }); err != nil || dup < 0 {
		return false
	}
	defer unix.Close(dup)
	for {
		_, err := unix.Poll([]unix.PollFd{{Fd: int32(dup), Events: unix.POLLRDHUP}}, -1)
		if err != unix.EINTR {
			return err == nil
		}
	}
}
