package sdk_test

import (
	"fmt"
	"os"
	"testing"
)

// A server that has nothing to do does nothing: no timer ticks and nobody polls. What
// switches is counted, while another server works, since a clock would judge the machine.
func TestIdleServerDoesNothing(t *testing.T) {
	busy, idle, web := start(t), start(t), serve(t, nil)
	if r := idle.call("echo", `{"text":"x"}`); r.text() != "x" {
		t.Fatalf("result %+v", r)
	}
	if r := web.call(t, "echo", `{"text":"x"}`); r.Result.text() != "x" {
		t.Fatalf("result %+v", r)
	}
	for name, pid := range map[string]int{"standard streams": idle.cmd.Process.Pid, "HTTP": web.cmd.Process.Pid} {
		least := 1 << 30
		for range 5 { // what still settles after a call does not count
			before := switches(t, pid)
			for range 1000 {
				if r := busy.call("echo", `{"text":"x"}`); r.text() != "x" {
					t.Fatalf("result %+v", r)
				}
			}
			least = min(least, switches(t, pid)-before)
		}
		if least > 3 {
			t.Errorf("%s: while another server answered a thousand calls, one that was idle was given the processor %d times", name, least)
		}
	}
}

// switches returns how often the threads of a process have given the processor up.
func switches(t *testing.T, pid int) int {
	t.Helper()
	dir := fmt.Sprintf("/proc/%d/task", pid)
	threads, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	sum := 0
	for _, thread := range threads {
		data, err := os.ReadFile(dir + "/" + thread.Name() + "/status")
		if err == nil {
			sum += field(t, data, "voluntary_ctxt_switches")
		}
	}
	return sum
}
