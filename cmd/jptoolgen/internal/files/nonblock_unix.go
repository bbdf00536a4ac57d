//go:build unix

package files

import "syscall"

// nonblock prevents blocking when a pipe is opened.
const nonblock = syscall.O_NONBLOCK
