//go:build unix

package access

import "syscall"

// openWithoutWaiting keeps a pipe that took the place of a file from holding a call.
const openWithoutWaiting = syscall.O_NONBLOCK
