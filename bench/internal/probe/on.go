//go:build probe

// Package probe counts what a measured server allocates, in binaries built with the
// tag probe; in others it costs nothing.
package probe

import (
	"fmt"
	"os"
	"runtime"
	"runtime/pprof"
)

// Start begins to profile the CPU into the file that BENCH_PROFILE names, if any,
// and returns what to call when the server has ended: it writes how many objects and
// bytes were allocated to the file that BENCH_PROBE names.
func Start() func() {
	profile, err := os.Create(os.Getenv("BENCH_PROFILE"))
	if err == nil {
		err = pprof.StartCPUProfile(profile)
	}
	return func() {
		if err == nil {
			pprof.StopCPUProfile()
			profile.Close()
		}
		if name := os.Getenv("BENCH_PROBE"); name != "" {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			if err := os.WriteFile(name, fmt.Appendf(nil, "%d %d\n", m.Mallocs, m.TotalAlloc), 0o600); err != nil {
				fmt.Fprintln(os.Stderr, err)
			}
		}
	}
}
