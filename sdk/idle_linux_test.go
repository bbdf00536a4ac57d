package sdk_test

import (
	"fmt"
	"os"
	"testing"
)

// A server that has nothing to do does nothing: no timer ticks and nobody polls. What
// switches is counted, while another server works, since a clock would judge the machine.
func TestIdleServerDoesNothing(t *testing.T) {
	idle, busy := start(t), start(t)
	if r := idle.call("echo", `{"text":"x"}`); r.text() != "x" {
		t.Fatalf("result %+v", r)
	}
	least := 1 << 30
	for range 5 { // what still settles after a call does not count
		before := idle.switches()
		for range 1000 {
			if r := busy.call("echo", `{"text":"x"}`); r.text() != "x" {
				t.Fatalf("result %+v", r)
			}
		}
		least = min(least, idle.switches()-before)
	}
	if least > 3 {
		t.Errorf("while another server answered a thousand calls, one that was idle was given the processor %d times", least)
	}
}

// switches returns how often the threads of the process have given the processor up.
func (p *process) switches() int {
	p.t.Helper()
	dir := fmt.Sprintf("/proc/%d/task", p.cmd.Process.Pid)
	threads, err := os.ReadDir(dir)
	if err != nil {
		p.t.Fatal(err)
	}
	sum := 0
	for _, thread := range threads {
		data, err := os.ReadFile(dir + "/" + thread.Name() + "/status")
		if err == nil {
			sum += field(p.t, data, "voluntary_ctxt_switches")
		}
	}
	return sum
}
