package stdio

import (
	"fmt"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// fly admits a request and reports whether it runs.
func fly(t *testing.T, f *flight, id, method string, size int) bool {
	t.Helper()
	now, err := f.admit(call{id: id, req: &jsonrpc.Request{Method: method}, size: size, ofTool: method == methodCall})
	if err != nil {
		t.Fatal(err)
	}
	return now
}

func TestFlightIsFull(t *testing.T) {
	f := newFlight(1)
	fly(t, &f, "run", methodCall, 1<<30) // what runs is not kept as bytes
	waiting := 0
	for ; !f.full(); waiting++ {
		if fly(t, &f, fmt.Sprint(waiting), methodCall, 1000) {
			t.Fatal("two calls run at once")
		}
	}
	if most := mostWaiting / (1000 + perCall); waiting != most+1 {
		t.Errorf("%d calls wait, want %d", waiting, most+1)
	}
	for i := range waiting { // cancelling makes room at once
		if _, theirs := f.cancel(fmt.Sprint(i)); theirs {
			t.Fatal("a waiting call runs")
		}
	}
	if f.full() || f.size != 0 || len(f.calls) != 1 || len(f.busy) != 1 || f.owed != 1 {
		t.Errorf("after the cancellations: %d bytes, %d calls, %d ids", f.size, len(f.calls), len(f.busy))
	}
	for i := range mostOthers {
		if f.full() {
			t.Fatalf("full with %d pings", i)
		}
		fly(t, &f, fmt.Sprint("p", i), "ping", 50)
	}
	if !f.full() {
		t.Error("pings are not counted")
	}
	for ours := range f.calls {
		f.done(ours)
	}
	if _, due := f.due(); f.full() || f.running != 0 || f.owed != 0 || due {
		t.Errorf("%d calls run, %d are owed", f.running, f.owed)
	}
}
