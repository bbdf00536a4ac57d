package stdio

import (
	"container/list"
	"sync"

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
	calls   map[int64]call   // all by our id
	busy    map[string]int64 // our id by the JSON text of theirs, of calls that are owed
	owed    int
	running int  // calls of tools that do not wait
	others  int  // other requests that go-sdk has
	ends    bool // nothing is let in any more
	// waiting holds our ids of calls of tools in the order they came, and size is what
	// of them is kept.
	waiting list.List
	size    int

	// awake wakes Read when something has changed that it may be waiting for.
	awake chan struct{}
}

// A call is a request that is to be answered, under the JSON text of its id.
type call struct {
	id       string
	req      *jsonrpc.Request // what go-sdk is to answer, or nil
	task     *task            // what is answered here, or nil
	beside   *beside
	size     int // of its line
	ofTool   bool
	listens  bool
	opens    bool // go-sdk takes the session for opened if it goes well
	canceled bool
	waits    *list.Element // in waiting, nil once it runs
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

// number returns an id of ours that no call has.
func (f *flight) number() int64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.next++
	return f.next
}

// admit lets a call in under an id of ours, and reports whether it may run now. One
// that may not waits for [flight.due]. The error is that its id is taken.
func (f *flight) admit(in call) (now bool, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, ok := f.busy[in.id]; ok {
		return false, &refusal{code: jsonrpc.CodeInvalidRequest, message: "invalid request: a call with this id is still running"}
	}
	f.next++
	if in.req != nil {
		if in.req.ID, err = jsonrpc.MakeID(float64(f.next)); err != nil {
			return false, err
		}
	} else {
		in.task.ours = f.next
	}
	switch {
	case !in.ofTool:
		f.others++
	case f.running < f.most && f.waiting.Len() == 0:
		f.running++
	default:
		in.waits = f.waiting.PushBack(f.next)
		f.size += in.size + perCall
	}
	f.calls[f.next], f.busy[in.id] = in, f.next
	f.owed++
	return in.waits == nil, nil
}

// due returns the waiting call whose turn it is.
func (f *flight) due() (in call, ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.waiting.Len() == 0 || f.running >= f.most {
		return call{}, false
	}
	ours := f.waiting.Front().Value.(int64)
	in = f.calls[ours]
	f.leave(&in)
	f.calls[ours] = in
	f.running++
	return in, true
}

// leave takes a call out of those that wait. The caller holds f.mu.
func (f *flight) leave(in *call) {
	f.waiting.Remove(in.waits)
	f.size -= in.size + perCall
	in.waits = nil
}

// full reports whether no more may be read.
func (f *flight) full() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.ends || f.size >= mostWaiting || f.others >= mostOthers
}

// end lets nothing in any more.
func (f *flight) end() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ends = true
}

// cancel gives up the answer to the call of that id, and returns our id of it if
// go-sdk has it.
func (f *flight) cancel(id string) (ours int64, theirs bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	ours, ok := f.busy[id]
	if !ok {
		return 0, false
	}
	delete(f.busy, id)
	f.settleOne()
	in := f.calls[ours]
	if in.task != nil {
		in.task.cancel()
	}
	if in.waits != nil {
		f.leave(&in)
		delete(f.calls, ours)
		return 0, false
	}
	in.canceled = true
	f.calls[ours] = in
	return ours, in.req != nil
}

// answering returns the call that an answer of go-sdk's is to. Its client may use the
// id again as soon as it sees the answer.
func (f *flight) answering(ours int64) (in call, known bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	in, known = f.calls[ours]
	if known && !in.canceled {
		delete(f.busy, in.id)
	}
	return in, known
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
	} else if f.others--; f.others == mostOthers-1 {
		f.wake()
	}
	if f.ends {
		f.wake()
	}
}

// settleOne counts one call less that is owed. The caller holds f.mu.
func (f *flight) settleOne() {
	if f.owed--; f.owed == 0 && f.ends {
		f.wake()
	}
}

// left returns how many answers are owed, and how many calls of tools run, canceled
// ones too.
func (f *flight) left() (owed, running int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.owed, f.running
}

// abandon cancels the calls that still run, and returns our ids of those that go-sdk
// has, and the ids of the client of those whose turn did not come, which are then no
// longer waiting.
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
		case in.task != nil:
			in.task.cancel()
		case !in.canceled:
			running = append(running, ours)
		}
	}
	return running, never
}
