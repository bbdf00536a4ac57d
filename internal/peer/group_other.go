//go:build !unix

package peer

import "os/exec"

func ownGroup(*exec.Cmd) {}

// terminate and kill end the process, because there are no process groups. The process may have exited already.
func terminate(cmd *exec.Cmd) { _ = cmd.Process.Kill() }
func kill(cmd *exec.Cmd)      { _ = cmd.Process.Kill() }
