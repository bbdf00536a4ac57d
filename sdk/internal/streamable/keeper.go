package streamable

import (
	"sync/atomic"
	"time"
)

// A keeper calls an exchange periodically to keep its stream alive. Nearly all answers are
// sent before the first call, so keepers are pooled.
type keeper struct {
	timer *time.Timer
	of    atomic.Pointer[exchange]
}

// newKeeper returns a keeper that calls x.alive after the given time.
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
	if k.timer.Stop() { // otherwise a call may be running
		x.h.keepers.Put(k)
	}
}
