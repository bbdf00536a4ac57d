//go:build probe

// Package probe counts the allocations of a measured server in binaries with the build tag probe. In other
// binaries, it does nothing.
package probe

import (
	"fmt"
	"os"
	"runtime"
	"runtime/pprof"
)

// Start starts a CPU profile in the file BENCH_PROFILE, if it is set, and returns a function to call when the
// server has ended. The function writes the numbers of allocated objects and bytes to the file BENCH_PROBE.
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
