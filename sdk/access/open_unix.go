//go:build unix

package access

import "syscall"

// openWithoutWaiting prevents a call from blocking on a pipe that replaced a file.
const openWithoutWaiting = syscall.O_NONBLOCK
