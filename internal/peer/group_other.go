//go:build !unix

package peer

import "os/exec"

func ownGroup(*exec.Cmd) {}

// terminate and kill end the process itself: there are no groups. That it is gone already is all right.
func terminate(cmd *exec.Cmd) { _ = cmd.Process.Kill() }
func kill(cmd *exec.Cmd)      { _ = cmd.Process.Kill() }
