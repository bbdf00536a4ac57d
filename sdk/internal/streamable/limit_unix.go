//go:build unix

package streamable

import "golang.org/x/sys/unix"

// maxConns returns how many connections may be open at the same time: three quarters of the files that
// the process may open, so that some remain for tools.
func maxConns() int {
	var limit unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_NOFILE, &limit) != nil {
		return bound
	}
	return int(min(bound, max(uint64(limit.Cur)/4*3, 16)))
}
