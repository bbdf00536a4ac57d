package sdk_test

import (
	"bufio"
	"testing"
)

// A call from the command line is canceled if nothing can read its result any more, because its host was killed.
func TestCallOfAHostThatIsKilled(t *testing.T) {
	for _, tool := range []string{"wait", "hang"} {
		cmd := command(t, "call", tool, "{}")
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		stderr, err := cmd.StderrPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(stderr)
		if !lines.Scan() || lines.Text() != "started" {
			t.Errorf("the first line is %q", lines.Text())
		}
		if err := out.Close(); err != nil {
			t.Fatal(err)
		}
		for lines.Scan() { // Wait requires reading to the end
		}
		if err := cmd.Wait(); err == nil {
			t.Errorf("%s: the process reported success", tool)
		}
	}
}
