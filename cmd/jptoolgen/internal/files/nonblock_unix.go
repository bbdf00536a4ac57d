//go:build unix

package files

import "syscall"

// nonblock keeps a pipe from being waited for when it is opened.
const nonblock = syscall.O_NONBLOCK
