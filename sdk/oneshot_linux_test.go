package sdk_test

import (
	"os/exec"
	"strings"
	"testing"
)

// A call from the command line is canceled if its result can no longer be read, because its host was killed.
func TestCallOfAHostThatIsKilled(t *testing.T) {
	plugin := func(tool string) *exec.Cmd {
		cmd := command(t, "plugin")
		cmd.Stdin = strings.NewReader(`{"type":"init","version":12,"workspace":{"root":"/"},"tool":{"name":"` + tool + `"}}`)
		return cmd
	}
	for tool, cmd := range map[string]*exec.Cmd{
		"wait": command(t, "call", "wait", "{}"), "hang": command(t, "call", "hang", "{}"),
		"wait as a plugin": plugin("wait"), "hang as a plugin": plugin("hang"),
	} {
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := interrupt(t, cmd, out.Close); err == nil {
			t.Errorf("%s: the process reported success", tool)
		}
	}
}
