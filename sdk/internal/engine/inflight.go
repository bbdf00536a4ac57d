package engine

import (
	"container/list"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jptool/jptool/sdk/internal/rpc"
)

// A limiter bounds the number of concurrent tool calls. Further calls wait in order of arrival.
type limiter struct {
	mu      sync.Mutex
	limit   int
	running int
	waiting list.List      // of chan struct{}, closed when a call may run
	calls   sync.WaitGroup // running
}

// enter returns nil if a call may run now, and otherwise the call's place in the queue.
func (l *limiter) enter() *list.Element {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.running < l.limit && l.waiting.Len() == 0 {
		l.running++
		l.calls.Add(1)
		return nil
	}
	return l.waiting.PushBack(make(chan struct{}))
}

// try is like enter for a call that does not wait, and returns false if it must not run now.
func (l *limiter) try() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.running >= l.limit || l.waiting.Len() > 0 {
		return false
	}
	l.running++
	l.calls.Add(1)
	return true
}

// wait waits until the call may run, and returns false if it is canceled first.
func (l *limiter) wait(place *list.Element, canceled <-chan struct{}) bool {
	turn := place.Value.(chan struct{})
	select {
	case <-turn:
		return true
	case <-canceled:
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	select {
	case <-turn: // both happened at the same time
		l.release()
	default:
		l.waiting.Remove(place)
	}
	return false
}

// close prevents waiting calls from running.
func (l *limiter) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.limit = 0
}

func (l *limiter) done() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.release()
}

// release lets the next call run in place of a finished one. The caller holds l.mu.
func (l *limiter) release() {
	if first := l.waiting.Front(); first != nil && l.running <= l.limit {
		close(l.waiting.Remove(first).(chan struct{}))
		return
	}
	l.running--
	l.calls.Done()
}

// Begin returns nil if the request may run now. At the limit of concurrent calls, it returns a
// function that waits, and that returns false if the request was canceled first, or answered
// because the server is shutting down.
func (r *Request) Begin() (wait func() bool) {
	if !r.IsCall() {
		return nil
	}
	calls := &r.session.engine.calls
	place := calls.enter()
	if place == nil {
		return nil
	}
	return func() bool {
		if calls.wait(place, r.span.Done()) {
			return true
		}
		r.fail(&rpc.Error{Code: rpc.CodeEnded, Message: "the server shut down before this call began; send it again"})
		return false
	}
}

// inflight tracks the unanswered requests of all sessions.
type inflight struct {
	mu      sync.Mutex
	owed    map[*Request]struct{}
	answers sync.WaitGroup // pending
	ending  bool
	armed   bool   // a timer runs; see stallBound
	ticked  func() // test hook
}

// stallBound is the maximum time without a timer while an answer is pending. It limits a stall of the Go runtime.
//
// In about 100 million calls with Go 1.26.8 on linux/amd64 and two CPUs, a process that read lines from standard input
// stalled three times, each time for 32 seconds or longer: a GC worker repeated stopTheWorldWithSema, the reader was
// in the system call read, no other goroutine ran, and the client waited for responses. The suspected cause, from
// runtime/proc.go and not proven: reentersyscall checks sched.gcwaiting before it sets the status _Gsyscall. If
// stopTheWorldWithSema sets gcwaiting and looks for system calls between these two steps, the reader keeps its P, and
// afterwards only preemptall is repeated, which does not affect a thread in a system call. sysmon could take the P back,
// but while gcwaiting is set, it sleeps until the next timer or, without a timer, for up to a minute. The runtime could
// end the stall if stopTheWorldWithSema checked for system calls again, or if sysmon slept only briefly.
const stallBound = 200 * time.Millisecond

// add registers a request. It returns false while shutting down.
func (f *inflight) add(r *Request) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.ending {
		return false
	}
	f.owed[r] = struct{}{}
	f.answers.Add(1)
	if !f.armed {
		f.armed = true
		time.AfterFunc(stallBound, f.tick)
	}
	return true
}

// tick starts the timer again while an answer is pending.
func (f *inflight) tick() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.armed = len(f.owed) > 0; f.armed {
		time.AfterFunc(stallBound, f.tick)
	}
	if f.ticked != nil {
		f.ticked()
	}
}

// remove unregisters a request. It is called once for each request.
func (f *inflight) remove(r *Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.owed, r)
	f.answers.Done()
}

func (f *inflight) all() []*Request {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Collect(maps.Keys(f.owed))
}

// end stops accepting requests and returns a channel that is closed when none is in flight.
func (f *inflight) end() <-chan struct{} {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ending = true
	return waitChannel(&f.answers)
}

// waitChannel returns a channel that is closed when the counter is zero.
func waitChannel(counter *sync.WaitGroup) <-chan struct{} {
	done := make(chan struct{})
	go func() {
		counter.Wait()
		close(done)
	}()
	return done
}

// maxIdle is the maximum number of idle goroutines of [Workers].
const maxIdle = 16

// Workers runs requests in reused goroutines, whose stacks have already grown.
type Workers struct {
	jobs chan job
	over <-chan struct{}
	idle atomic.Int32
}

type job struct {
	request *Request
	done    func(*Request)
}

func (j job) run() {
	defer j.done(j.request) // even if a handler calls runtime.Goexit
	j.request.Run()
}

// NewWorkers returns workers whose idle goroutines end when over is closed.
func NewWorkers(over <-chan struct{}) *Workers { return &Workers{jobs: make(chan job), over: over} }

// Run runs a request in a worker, which then calls done. It does not wait.
func (w *Workers) Run(r *Request, done func(*Request)) {
	j := job{r, done}
	select {
	case w.jobs <- j:
	default:
		go w.run(j)
	}
}

func (w *Workers) run(j job) {
	for {
		j.run()
		if w.idle.Add(1) > maxIdle {
			w.idle.Add(-1)
			return
		}
		select {
		case j = <-w.jobs:
			w.idle.Add(-1)
		case <-w.over:
			return
		}
	}
}
