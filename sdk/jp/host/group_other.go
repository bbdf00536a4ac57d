//go:build !unix

package host

import "os/exec"

func ownGroup(*exec.Cmd) {}

// endGroup does nothing: there are no groups.
func endGroup(*exec.Cmd) {}
