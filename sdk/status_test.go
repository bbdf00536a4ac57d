package sdk_test

import (
	"bytes"
	"fmt"
	"os"
	"testing"
)

// status returns a number in the process's status file.
func (p *process) status(name string) int {
	p.t.Helper()
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		p.t.Fatal(err)
	}
	return field(p.t, data, name)
}

func field(t *testing.T, status []byte, name string) (n int) {
	t.Helper()
	for line := range bytes.Lines(status) {
		if text, ok := bytes.CutPrefix(line, []byte(name+":")); ok {
			if _, err := fmt.Sscan(string(text), &n); err != nil {
				t.Fatal(err)
			}
			return n
		}
	}
	t.Fatalf("no %s in %s", name, status)
	return 0
}
