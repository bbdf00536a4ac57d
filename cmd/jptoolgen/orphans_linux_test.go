package main

import (
	"os"
	"os/exec"
	"syscall"
	"testing"
)

// detached returns this program in another manner, in a session of its own.
func detached(manner string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], manner)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	return cmd
}

// A process that detached itself from the server, by a session of its own and a parent that exits, ends with the
// command.
func TestOrphansEnd(t *testing.T) {
	children := expectChild(t)
	for _, words := range [][]string{{"list", "--", "hostile", "leaves an orphan"}, {"call", "-", "t", "--", "hostile", "leaves an orphan"}} {
		if out, err := exec.CommandContext(t.Context(), "jptoolgen", words...).CombinedOutput(); err != nil {
			t.Fatalf("%q: %v: %s", words, err, out)
		}
		isGone(t, <-children)
	}
}
