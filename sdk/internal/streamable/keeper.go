package streamable

import (
	"sync/atomic"
	"time"
)

// A keeper has an exchange look after its stream from time to time. Nearly all answers are
// there before, so keepers are used again.
type keeper struct {
	timer *time.Timer
	of    atomic.Pointer[exchange]
}

// newKeeper returns a keeper that calls x.alive after a time.
func newKeeper(x *exchange, after time.Duration) *keeper {
	k, ok := x.h.keepers.Get().(*keeper)
	if ok {
		k.of.Store(x)
		k.timer.Reset(after)
		return k
	}
	k = new(keeper)
	k.of.Store(x)
	k.timer = time.AfterFunc(after, func() {
		if x := k.of.Load(); x != nil {
			x.alive()
		}
	})
	return k
}

// stop ends the calls.
func (k *keeper) stop() {
	x := k.of.Swap(nil)
	if k.timer.Stop() { // else it may be calling just now
		x.h.keepers.Put(k)
	}
}
