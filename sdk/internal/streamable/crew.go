package streamable

import (
	"sync/atomic"

	"github.com/jptool/jptool/sdk/internal/engine"
)

const (
	// crowd is from how many connections on their goroutines run no requests: the stacks of
	// tools, and of what writes answers, would be twice as many bytes as all else that a
	// connection has.
	crowd = 1000
	// mostIdle is how many goroutines of a crew are kept.
	mostIdle = 16
)

// A crew runs requests in goroutines of its own.
type crew struct {
	work chan job
	over <-chan struct{} // closed when none is to be kept any more
	idle atomic.Int32
}

// A job is a request, and what is closed when it has been run.
type job struct {
	*engine.Request
	done chan struct{}
}

// run runs a request.
func (c *crew) run(r *engine.Request) {
	j := job{r, make(chan struct{})}
	select {
	case c.work <- j:
	default:
		go c.labor(j)
	}
	<-j.done
}

// labor runs a request, and then what else there is.
func (c *crew) labor(j job) {
	for {
		j.Run()
		close(j.done)
		if c.idle.Add(1) > mostIdle {
			c.idle.Add(-1)
			return
		}
		select {
		case j = <-c.work:
			c.idle.Add(-1)
		case <-c.over:
			return
		}
	}
}
