//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"testing"
)

// Interrupting a call also interrupts the server and all processes that it started.
func TestInterrupt(t *testing.T) {
	children := expectChild(t)
	cmd := exec.CommandContext(t.Context(), "jptoolgen", "call", "-", "t", "--", "hostile", "leaves a child, and the call")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	child := <-children
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() != 2 || stderr.String() != "jptoolgen: interrupted\n" {
		t.Errorf("%v: %s", err, stderr.String())
	}
	expectEnded(t, child)
}
