package report

import (
	"fmt"
	"math"
	"strings"

	"github.com/jptool/jptool/bench/internal/build"
	"github.com/jptool/jptool/bench/internal/measure"
	"github.com/jptool/jptool/bench/internal/request"
)

// A promise is a figure with its promised maximum.
type promise struct {
	what       string
	got, limit float64
}

// promises writes jptool's promises and the measured values.
func (f *Figures) promises(b *strings.Builder) {
	median := measure.Sample.Median
	// The fastest start is used, because other load can only delay a start.
	first := func(name string, tools int) float64 { return f.Starts[name][tools].Call.Min() }
	tools := func(pick func(measure.Start) measure.Sample) float64 {
		of := func(n int) float64 { return pick(f.Starts[build.Jptool][n]).Min() }
		return (of(1000) - of(10)) / 990 * 1000
	}
	small, large := f.Allocs[build.Jptool], f.Large[build.Jptool]
	objects := max(small[request.Sessions].Objects, small[request.Requests].Objects)
	bytes := max(small[request.Sessions].Bytes, small[request.Requests].Bytes)
	cpu := f.cpu(build.Jptool, median)
	g := f.Generation[100]
	http := f.overHTTP(median)
	var rows [][]string
	for _, p := range []promise{
		{"CPU per call, relative to go-sdk typed", cpu / f.cpu(build.Typed, median), 1.0 / 8},
		{"CPU per call with full checks, relative to mcp-go without checks", cpu / f.cpu(build.Plain, median), 2.0 / 3},
		{"objects allocated per call", objects, 32},
		{"KiB allocated per call", bytes / 1024, 2.44},
		{"start to first call, 10 tools, relative to go-sdk typed", first(build.Jptool, 10) / first(build.Typed, 10), 0.85},
		{"start to first call, 100 tools, relative to go-sdk typed", first(build.Jptool, 100) / first(build.Typed, 100), 0.2},
		{"start to first call, 10 tools, relative to the baseline", first(build.Jptool, 10) / first(build.Baseline, 10), 2},
		{"tools/list with 100 tools, relative to go-sdk typed", f.Lists[build.Jptool].Median() / f.Lists[build.Typed].Median(), 0.1},
		{"start to initialize, µs for each tool beyond 10", tools(func(s measure.Start) measure.Sample { return s.Initialize }), 15},
		{"start to first call, µs for each tool beyond 10", tools(func(s measure.Start) measure.Sample { return s.Call }), 6},
		{"jptoolgen on 100 tools, relative to go list -export -deps", g.Jptoolgen.Median() / g.List.Median(), 2},
		{"peak memory for a 15 MB argument, relative to its size", large.PeakRSS / measure.LargeSize, 5},
		{"HTTP: CPU per call without a session, 8 connections, relative to the baseline", http.apart, 2},
		{"HTTP: CPU per call in a session, 8 connections, relative to the baseline", http.within, 2.5},
		{"HTTP: CPU per call, 8 connections, relative to go-sdk typed", http.typed, 0.12},
		{"HTTP: CPU per call with full checks, 8 connections, relative to mcp-go without checks", http.plain, 0.5},
		{"HTTP: objects allocated per call, excluding net/http", http.objects, 45},
		{"HTTP: KiB allocated per call, excluding net/http", http.bytes / 1024, 2.5},
		{"HTTP: KiB of memory per idle session", http.session / 1024, 4},
	} {
		got, verdict := fmt.Sprintf("%.3g", p.got), "kept"
		if math.IsNaN(p.got) || p.got == 0 {
			got, verdict = "–", "not measured"
		} else if p.got > p.limit {
			verdict = fmt.Sprintf("missed by %.0f%%", 100*(p.got/p.limit-1))
		}
		rows = append(rows, []string{p.what, got, fmt.Sprintf("%.3g", p.limit), verdict})
	}
	table(b, "Promises", []string{"figure", "measured", "at most", ""}, rows)
}
