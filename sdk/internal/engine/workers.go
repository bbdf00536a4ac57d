package engine

import "sync/atomic"

// mostIdle is the maximum number of idle goroutines that are kept.
const mostIdle = 16

// Workers runs requests in goroutines that are reused, because the stack of a new goroutine
// would have to grow again for each request.
type Workers struct {
	jobs chan job
	over <-chan struct{}
	idle atomic.Int32
}

type job struct {
	request *Request
	done    func(*Request)
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
		j.request.Run()
		j.done(j.request)
		if w.idle.Add(1) > mostIdle {
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
