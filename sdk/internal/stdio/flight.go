package stdio

import (
	"container/list"
	"sync"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// A flight is the calls between their line and their answer. So many calls of tools
// run at once; others wait as what was read of them. Of other requests, which are
// short, so many are let in before reading pauses.
//
// A call that a client cancels is no longer owed, but it runs until its handler has
// returned, and so long it counts.
type flight struct {
	most int // how many calls of tools run at once

	mu      sync.Mutex
	next    int64
	opening int64            // our id of the last call that opens the session if it goes well
	calls   map[int64]call   // all by our id
	busy    map[string]int64 // our id by the JSON text of theirs, of calls that are owed
	owed    int
	running int          // calls of tools that go-sdk has
	others  atomic.Int32 // other requests that it has
	// waiting holds calls of tools in the order they came, and size is what of them
	// is kept. Both are Read's alone.
	waiting list.List
	size    int

	// awake wakes Read when something has changed that it may be waiting for.
	awake chan struct{}
}

// A call is one that go-sdk has or that waits for its turn, under the JSON text of
// its id.
type call struct {
	id       string
	beside   *beside
	ofTool   bool
	canceled bool
	waits    *list.Element // of waits, nil once it runs
}

// A wait is a call that waits.
type wait struct {
	ours int64
	req  *jsonrpc.Request
	size int
}

const (
	// mostOthers is how many requests other than calls of tools are in flight.
	mostOthers = 64
	// mostWaiting is how many bytes wait before reading pauses, and perCall what a
	// waiting call takes beside its line.
	mostWaiting = 4 << 20
	perCall     = 512
)

func newFlight(most int) flight {
	return flight{most: most, calls: map[int64]call{}, busy: map[string]int64{}, awake: make(chan struct{}, 1)}
}

// wake makes Read look again.
func (f *flight) wake() {
	select {
	case f.awake <- struct{}{}:
	default:
	}
}

// admit gives req our id, and reports whether it may run now. One that may not waits
// for [flight.due]. The error is that the id of the call is taken.
func (f *flight) admit(req *jsonrpc.Request, in call, method string, size int, begun bool) (now bool, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, ok := f.busy[in.id]; ok {
		return false, &refusal{code: jsonrpc.CodeInvalidRequest, message: "invalid request: a call with this id is still running"}
	}
	f.next++
	if req.ID, err = jsonrpc.MakeID(float64(f.next)); err != nil {
		return false, err
	}
	now, in.ofTool = true, method == methodCall
	switch {
	case !in.ofTool:
		f.others.Add(1)
	case f.running < f.most && f.waiting.Len() == 0:
		f.running++
	default:
		now = false
		in.waits = f.waiting.PushBack(wait{f.next, req, size + perCall})
		f.size += size + perCall
	}
	f.calls[f.next], f.busy[in.id] = in, f.next
	f.owed++
	if opens(method) && !begun {
		f.opening = f.next
	}
	return now, nil
}

// due returns the waiting call whose turn it is, nil for none.
func (f *flight) due() *jsonrpc.Request {
	if f.waiting.Len() == 0 {
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.running >= f.most {
		return nil
	}
	next := f.waiting.Front().Value.(wait)
	in := f.calls[next.ours]
	f.leave(&in)
	f.calls[next.ours] = in
	f.running++
	return next.req
}

// leave takes a call out of those that wait.
func (f *flight) leave(in *call) {
	f.size -= f.waiting.Remove(in.waits).(wait).size
	in.waits = nil
}

// full reports whether no more may be read.
func (f *flight) full() bool {
	return f.size >= mostWaiting || f.others.Load() >= mostOthers
}

// cancel gives up the answer to the call of that id, and returns our id of it. It
// reports false for a call that go-sdk does not have: none is, or it was waiting.
func (f *flight) cancel(id string) (ours int64, running bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	ours, ok := f.busy[id]
	if !ok {
		return 0, false
	}
	delete(f.busy, id)
	f.settleOne()
	in := f.calls[ours]
	if in.waits != nil {
		f.leave(&in)
		delete(f.calls, ours)
		return 0, false
	}
	in.canceled = true
	f.calls[ours] = in
	return ours, true
}

// answering returns the call that an answer of go-sdk's is to. Its client may use the
// id again as soon as it sees the answer. It reports whether the answer opens the
// session if it is none of failure.
func (f *flight) answering(ours int64) (in call, known, opens bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	in, known = f.calls[ours]
	if known && !in.canceled {
		delete(f.busy, in.id)
	}
	return in, known, known && ours == f.opening
}

// done forgets a call once its answer is sent or dropped: the end of input waits for
// it, and so do calls that wait for their turn.
func (f *flight) done(ours int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	in := f.calls[ours]
	delete(f.calls, ours)
	if !in.canceled {
		f.settleOne()
	}
	if in.ofTool {
		if f.running--; f.running == f.most-1 {
			f.wake()
		}
	} else if f.others.Add(-1) == mostOthers-1 {
		f.wake()
	}
}

// settleOne counts one call less that is owed. The caller holds f.mu.
func (f *flight) settleOne() {
	if f.owed--; f.owed == 0 {
		f.wake()
	}
}

// left returns how many answers are owed.
func (f *flight) left() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.owed
}

// abandon returns our ids of the calls that still run, and those of the client whose
// turn did not come, which are then no longer waiting.
func (f *flight) abandon() (running []int64, never []string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for ours, in := range f.calls {
		switch {
		case in.waits != nil:
			f.leave(&in)
			delete(f.calls, ours)
			delete(f.busy, in.id)
			f.settleOne()
			never = append(never, in.id)
		case !in.canceled:
			running = append(running, ours)
		}
	}
	return running, never
}
