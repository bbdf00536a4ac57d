package soak

import (
	"math"
	"strings"
	"testing"
)

// leaky returns the report of a run that takes on so many bytes in 100,000 calls, with
// noise that does not grow.
func leaky(growth int) Report {
	r := Report{Calls: 1_000_000, GoroutinesBefore: 20, GoroutinesAfter: 21}
	for i := range 200 {
		rss := 16<<20 + i*growth/20
		if i < 20 {
			rss = i << 20 // warming up
		}
		if i%2 == 0 {
			rss += 1 << 20
		}
		r.Samples = append(r.Samples, Sample{RSS: rss, Files: 9, Threads: 7})
	}
	return r
}

func TestGrowth(t *testing.T) {
	for _, growth := range []int{0, 50 << 10, 200 << 10} {
		if got := leaky(growth).Growth(); math.Abs(got-float64(growth)) > 10_000 {
			t.Errorf("growth %.0f, want %d", got, growth)
		}
	}
}

func TestFlat(t *testing.T) {
	if err := leaky(50 << 10).Flat(); err != nil {
		t.Error(err)
	}
	r := leaky(200 << 10)
	r.GoroutinesAfter = 30
	r.Samples[199].Files, r.Samples[199].Threads = 10, 20
	err := r.Flat()
	if err == nil || strings.Count(err.Error(), "grow") != 4 {
		t.Errorf("a run that is not flat: %v", err)
	}
}
