package main

import (
	"os"
	"os/exec"
	"syscall"
	"testing"
)

// detached returns a command that runs this program in a separate session as another hostile server.
func detached(manner string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], manner)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	return cmd
}

// The command stops a process even if it has detached itself from the server: it has its own session, and its
// parent has exited.
func TestOrphansEnd(t *testing.T) {
	children := expectChild(t)
	for _, words := range [][]string{{"list", "--", "hostile", "leaves an orphan"}, {"call", "-", "t", "--", "hostile", "leaves an orphan"}} {
		if out, err := exec.CommandContext(t.Context(), "jptoolgen", words...).CombinedOutput(); err != nil {
			t.Fatalf("%q: %v: %s", words, err, out)
		}
		expectEnded(t, <-children)
	}
}
