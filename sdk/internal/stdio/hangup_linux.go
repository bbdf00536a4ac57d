package stdio

import (
	"os"

	"golang.org/x/sys/unix"
)

// HungUp waits until no process has the other end of the file open, even if unread input remains,
// and returns true. It returns false at once if stream is not a file.
func HungUp(stream any) bool {
	file, ok := stream.(*os.File)
	if !ok {
		return false
	}
	conn, err := file.SyscallConn()
	if err != nil {
		return false
	}
	// Use a duplicate, so that closing the file does not wait for this call.
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
