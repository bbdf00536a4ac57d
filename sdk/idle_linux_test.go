package sdk_test

import (
	"fmt"
	"os"
	"testing"
)

// An idle server does no work: it has no ticking timers and does not poll. The test counts context switches
// while another server works; a measurement of time would depend on the machine.
func TestIdleServerDoesNothing(t *testing.T) {
	busy, idle, web := start(t), start(t), serve(t, nil)
	if r := idle.call("echo", `{"text":"x"}`); r.text() != "x" {
		t.Fatalf("result %+v", r)
	}
	if r := web.call(t, "echo", `{"text":"x"}`); r.Result.text() != "x" {
		t.Fatalf("result %+v", r)
	}
	for name, pid := range map[string]int{"stdio": idle.cmd.Process.Pid, "HTTP": web.cmd.Process.Pid} {
		least := 1 << 30
		for range 5 { // activity shortly after a call is ignored
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

// switches returns the number of voluntary context switches of a process's threads.
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
