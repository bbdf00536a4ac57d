package sdk_test

import "testing"

// A call from the command line is canceled if its result can no longer be read, because its host was killed.
func TestCallOfAHostThatIsKilled(t *testing.T) {
	for _, tool := range []string{"wait", "hang"} {
		cmd := command(t, "call", tool, "{}")
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := interrupt(t, cmd, out.Close); err == nil {
			t.Errorf("%s: the process reported success", tool)
		}
	}
}
