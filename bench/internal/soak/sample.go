package soak

import (
	"errors"
	"fmt"
	"os"
	"strings"
)

// A Sample is the resource usage of a process at one point in time.
type Sample struct {
	RSS     int // bytes
	Files   int // open descriptors
	Threads int
}

// sampleOf returns the usage of a process.
func sampleOf(pid int) (s Sample, err error) {
	dir := fmt.Sprintf("/proc/%d/", pid)
	status, err := os.ReadFile(dir + "status")
	if err != nil {
		return s, err
	}
	for name, to := range map[string]*int{"VmRSS:": &s.RSS, "Threads:": &s.Threads} {
		_, text, _ := strings.Cut(string(status), name)
		if _, err := fmt.Sscan(text, to); err != nil {
			return s, fmt.Errorf("reading %s %w", name, err)
		}
	}
	s.RSS <<= 10 // VmRSS is in KiB
	files, err := os.ReadDir(dir + "fd")
	s.Files = len(files)
	return s, err
}

// The limits of a run without leaks.
const (
	maxGrowth     = 100 << 10 // bytes in 100,000 calls
	maxGoroutines = 2
	maxThreads    = 4
)

// Growth returns the growth of the server's memory in bytes per 100,000 calls: the slope of a line through the
// samples after the first tenth.
func (r Report) Growth() float64 {
	samples := r.Samples[len(r.Samples)/10:]
	n := float64(len(samples))
	var sx, sy, sxx, sxy float64
	for i, s := range samples {
		x, y := float64(i), float64(s.RSS)
		sx, sy, sxx, sxy = sx+x, sy+y, sxx+x*x, sxy+x*y
	}
	perSample := (n*sxy - sx*sy) / (n*sxx - sx*sx)
	return perSample * float64(len(r.Samples)) / float64(r.Calls) * 100_000
}

// Flat returns an error for each resource that the server leaks.
func (r Report) Flat() error {
	first, last := r.Samples[len(r.Samples)/10], r.Samples[len(r.Samples)-1]
	var all []error
	if g := r.Growth(); g > maxGrowth {
		all = append(all, fmt.Errorf("memory grew by %.0f bytes in 100,000 calls", g))
	}
	if r.GoroutinesAfter > r.GoroutinesBefore+maxGoroutines {
		all = append(all, fmt.Errorf("the number of goroutines grew from %d to %d", r.GoroutinesBefore, r.GoroutinesAfter))
	}
	if last.Files > first.Files {
		all = append(all, fmt.Errorf("the number of open files grew from %d to %d", first.Files, last.Files))
	}
	if last.Threads > first.Threads+maxThreads {
		all = append(all, fmt.Errorf("the number of threads grew from %d to %d", first.Threads, last.Threads))
	}
	return errors.Join(all...)
}
