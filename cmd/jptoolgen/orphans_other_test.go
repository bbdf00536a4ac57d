//go:build !linux

package main

import (
	"os"
	"os/exec"
)

// detached returns this program in another manner.
func detached(manner string) *exec.Cmd { return exec.Command(os.Args[0], manner) }
