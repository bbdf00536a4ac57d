//go:build !linux

package main

import (
	"os"
	"os/exec"
)

// detached returns a command that runs this program as another hostile server.
func detached(manner string) *exec.Cmd { return exec.Command(os.Args[0], manner) }
