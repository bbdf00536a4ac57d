package stdio

import (
	"os"

	"golang.org/x/sys/unix"
)

// inputEnded waits until no process has the write end of a file open, even if unread input remains, and returns
// true. It returns false immediately if in is not a file.
func inputEnded(in any) bool { return await(in, unix.POLLRDHUP, -1) }

// ReaderGone waits until no process can read what is written to a file, and returns true. It returns
// false immediately if out is not a file. If out is a socket, the host may shut down its sending
// direction and continue to read; that does not count.
func ReaderGone(out any) bool { return await(out, 0, -1) }

// await waits for events, an error or a hangup on a file, and reports whether one occurred. It waits for at
// most millis milliseconds, or without a limit if millis is negative.
func await(stream any, events int16, millis int) bool {
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
		n, err := unix.Poll([]unix.PollFd{{Fd: int32(dup), Events: events}}, millis)
		if err != unix.EINTR {
			return n > 0
		}
	}
}
