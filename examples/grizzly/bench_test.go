package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jptool/jptool/examples/grizzly/internal/beartest"
	"github.com/jptool/jptool/sdk/jp/jphost"
)

// BenchmarkServer measures the time that a host waits for a response in a library of 100,000 notes.
// Generating the library takes a while.
func BenchmarkServer(b *testing.B) {
	path := filepath.Join(b.TempDir(), "database.sqlite")
	if err := beartest.Generate(path, beartest.Layout{WAL: true}, 100_000); err != nil {
		b.Fatal(err)
	}
	rare := fmt.Sprintf(`{"queries":[%q]}`, beartest.Rare)
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			h := start(b, jphost.Options{}, command(b, nil, "--db", path))
			wantReply(b, call(b, h, "note_search", rare), jphost.OK, "<match ")
			if err := h.Close(); err != nil {
				b.Fatal(err)
			}
		}
	})
	cmd := command(b, nil, "--db", path)
	h := start(b, jphost.Options{}, cmd)
	call(b, h, "note_search", rare)
	for _, c := range []struct{ name, tool, arguments string }{
		{"rare word", "note_search", rare},
		{"common word", "note_search", `{"queries":["the"]}`},
		{"two words and a tag", "note_search", `{"queries":["water","light"],"tags":["area"]}`},
		{"part of a word", "note_search", fmt.Sprintf(`{"queries":[%q]}`, beartest.Rare[2:])},
		{"nothing", "note_search", `{"queries":["no note has this!"]}`},
		{"list", "note_search", `{}`},
		{"title for an id", "note_get", `{"ids":["no such title"]}`},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				wantReply(b, call(b, h, c.tool, c.arguments), jphost.OK, "<")
			}
			b.ReportMetric(peakMemory(cmd.Process.Pid), "peak-MB")
		})
	}
}

// peakMemory returns the peak memory usage of a process in megabytes on Linux, and 0 on other
// systems.
func peakMemory(pid int) float64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	var kB float64
	_, after, _ := strings.Cut(string(status), "VmHWM:")
	if _, err := fmt.Sscan(after, &kB); err != nil {
		return 0
	}
	return kB / 1000
}
