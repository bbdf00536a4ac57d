// Package measure takes the measurements of the comparison.
//
// All subjects run alternately in short pieces, so that other load on the machine affects all of them. The
// median of the pieces is used.
package measure

import (
	"slices"
	"time"
)

// limit is the maximum lifetime of a server process.
const limit = 10 * time.Minute

// A Sample holds several measurements of one figure.
type Sample []float64

// Median returns the median of s, or 0 if s is empty.
func (s Sample) Median() float64 { return s.at(len(s) / 2) }

// Min returns the minimum of s, or 0 if s is empty.
func (s Sample) Min() float64 { return s.at(0) }

func (s Sample) at(i int) float64 {
	if len(s) == 0 {
		return 0
	}
	return slices.Sorted(slices.Values(s))[i]
}

func micros(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }

func millis(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
