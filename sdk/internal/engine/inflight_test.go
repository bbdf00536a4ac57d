package engine

import (
	"testing"
	"testing/synctest"
	"time"
)

// The process has a timer within stallBound while a response is pending, and none afterwards. See
// docs/go-stall.md.
func TestTimerWhileAnAnswerIsOwed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ticks := 0
		f := &inflight{owed: map[*Request]struct{}{}, ticked: func() { ticks++ }}
		one, two := new(Request), new(Request)
		for round := range 2 {
			ticks = 0
			f.add(one)
			f.add(two)
			time.Sleep(3*stallBound + stallBound/2) // fake time of synctest
			f.remove(one)
			time.Sleep(2 * stallBound) // fake time of synctest
			synctest.Wait()
			if ticks != 5 {
				t.Errorf("round %d: %d ticks while an answer was owed, want 5", round, ticks)
			}
			f.remove(two)
			time.Sleep(time.Hour) // fake time of synctest
			synctest.Wait()
			if ticks != 6 || f.armed { // the timer that was set before
				t.Errorf("round %d: %d ticks in all, armed %t", round, ticks, f.armed)
			}
		}
	})
}
