package stdio

import (
	"sync/atomic"

	"github.com/jptool/jptool/sdk/internal/engine"
)

// mostIdle is how many goroutines are kept.
const mostIdle = 16

// A crew runs requests. Goroutines are kept for the next one, since the stack of a new
// one would have to grow anew in each.
type crew struct {
	work chan *engine.Request
	idle atomic.Int32
}

func newCrew() crew { return crew{work: make(chan *engine.Request)} }

// run hands r to a goroutine.
func (w *crew) run(c *conn, r *engine.Request) {
	select {
	case w.work <- r:
	default:
		go w.labor(c, r)
	}
}

// labor runs r, and then what else there is.
func (w *crew) labor(c *conn, r *engine.Request) {
	for {
		r.Run()
		c.done(r)
		if w.idle.Add(1) > mostIdle {
			w.idle.Add(-1)
			return
		}
		select {
		case r = <-w.work:
			w.idle.Add(-1)
		case <-c.gone:
			return
		}
	}
}
