// Package measure takes the figures of the comparison.
//
// Whatever is compared runs by turns in short pieces, so that what else the machine
// does falls on all alike; of the pieces' figures the median counts.
package measure

import (
	"slices"
	"time"
)

// limit is how long one server process may live.
const limit = 10 * time.Minute

// Sample is what was measured of one thing, several times.
type Sample []float64

// Median returns the middle of s, 0 of nothing.
func (s Sample) Median() float64 { return s.at(len(s) / 2) }

// Min returns the least of s, 0 of nothing.
func (s Sample) Min() float64 { return s.at(0) }

func (s Sample) at(i int) float64 {
	if len(s) == 0 {
		return 0
	}
	return slices.Sorted(slices.Values(s))[i]
}

func micros(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }

func millis(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
