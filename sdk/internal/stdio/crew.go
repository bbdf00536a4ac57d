package stdio

import (
	"context"
	"sync"
	"sync/atomic"
)

// A crew answers calls. Goroutines are kept for the next call, since the stack of a
// new one would have to grow anew in each.
type crew struct {
	handler atomic.Pointer[Handler]
	ctx     context.Context // that of calls
	stop    context.CancelFunc
	work    chan *task
	waiting atomic.Int32 // goroutines that wait for work
}

// mostIdle is how many goroutines are kept.
const mostIdle = 16

// A task is a call that is answered here.
type task struct {
	id      string // the JSON text of its id
	ours    int64
	in      Call
	ctx     context.Context
	cancel  context.CancelFunc
	handler Handler
	line    []byte // memory for its answer
}

// mostKept is the size of the largest line whose memory is kept for others.
const mostKept = 64 << 10

var tasks = sync.Pool{New: func() any { return new(task) }}

// free gives t back.
func (t *task) free() {
	line := t.line[:0]
	if cap(line) > mostKept {
		line = nil
	}
	*t = task{line: line}
	tasks.Put(t)
}

// start makes calls inherit from ctx all but its end: that of the input ends them.
func (w *crew) start(ctx context.Context) {
	w.ctx, w.stop = context.WithCancel(context.WithoutCancel(ctx))
	w.work = make(chan *task)
}

// handlerOf returns who answers a message, nil for go-sdk.
func (c *conn) handlerOf(e *envelope) Handler {
	if string(e.method) != methodCall || len(e.id) == 0 || len(e.call.Name) == 0 || e.odd || !c.begun.Load() || c.hears.Load() {
		return nil
	}
	if e.call.Version == "" && !c.opened.Load() {
		return nil // which Read refuses
	}
	h := c.crew.handler.Load()
	if h == nil || !(*h).Has(e.call.Name) {
		return nil
	}
	return *h
}

// run has h answer a call, beside what else is read, once it is its turn.
func (c *conn) run(h Handler, e *envelope, size int) error {
	t := tasks.Get().(*task)
	t.id, t.in, t.handler = string(e.id), e.call, h
	t.ctx, t.cancel = context.WithCancel(c.crew.ctx)
	now, err := c.admit(call{id: t.id, task: t, size: size, ofTool: true})
	switch {
	case err != nil:
		t.cancel()
		t.free()
	case now:
		c.begin(t)
	}
	return err
}

// begin hands t to a goroutine.
func (c *conn) begin(t *task) {
	select {
	case c.crew.work <- t:
	default:
		go c.labor(t)
	}
}

// labor answers t, and then what else there is.
func (c *conn) labor(t *task) {
	for {
		c.answer(t)
		if c.crew.waiting.Add(1) > mostIdle {
			c.crew.waiting.Add(-1)
			return
		}
		select {
		case t = <-c.crew.work:
			c.crew.waiting.Add(-1)
		case <-c.closed:
			return
		}
	}
}

// answer answers t, unless it is canceled by then.
func (c *conn) answer(t *task) {
	t.line = append(appendStart(t.line[:0], t.id), `"result":`...)
	text, err := t.handler.Answer(t.ctx, &t.in, t.line)
	t.cancel()
	if in, _ := c.answering(t.ours); !in.canceled {
		if err == nil {
			t.line = append(text, "}\n"...)
			_ = c.send(t.line) // which ends the session if it fails
		} else {
			_ = c.refuse(t.id, err)
		}
	}
	c.done(t.ours)
	t.free()
}
