package peer

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// AdoptOrphans makes this process the parent of descendants whose own parents have exited, such as a server that
// detached itself. It returns a function that kills these processes. Call it when this process has no other
// children, because the function kills all of them. Other systems cannot adopt processes, and the function does
// nothing there.
func AdoptOrphans() (end func()) {
	if unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != nil {
		return func() {} // the kernel is older than 3.4
	}
	return func() {
		// A process that is killed leaves its own children to this process.
		for deadline := time.Now().Add(2 * time.Second); time.Now().Before(deadline); {
			if _, err := unix.Wait4(-1, nil, unix.WNOHANG, nil); errors.Is(err, unix.ECHILD) {
				return
			}
			for _, pid := range children() {
				_ = unix.Kill(pid, unix.SIGKILL) // the process may have exited already
				_, _ = unix.Wait4(pid, nil, 0, nil)
			}
		}
	}
}

// children returns the children of this process.
func children() (all []int) {
	lists, _ := filepath.Glob("/proc/self/task/*/children") // cannot fail: the pattern is valid
	for _, list := range lists {
		text, err := os.ReadFile(list)
		if err != nil {
			continue // the thread has exited
		}
		for _, word := range strings.Fields(string(text)) {
			if pid, err := strconv.Atoi(word); err == nil {
				all = append(all, pid)
			}
		}
	}
	return all
}
