package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jptool/jptool/examples/bookworm/internal/cratestest"
	"github.com/jptool/jptool/examples/bookworm/sample"
	"github.com/jptool/jptool/sdk/jp/jphost"
)

// newSandboxForBench returns a sandbox, the arguments for a search in its crate, and the size of the crate's
// archive. The crate is the sample, or the archive NAME.zip that BOOKWORM_BENCH names.
func newSandboxForBench(b *testing.B) (s sandbox, arguments string, size int) {
	b.Helper()
	name, docs := sample.Name, sample.Docs
	if path := os.Getenv("BOOKWORM_BENCH"); path != "" {
		var err error
		if docs, err = os.ReadFile(path); err != nil {
			b.Fatal(err)
		}
		name = strings.TrimSuffix(filepath.Base(path), ".zip")
	}
	c := cratestest.Crate{Name: name, Versions: []cratestest.Version{{Num: "1.0.0", Docs: docs}}}
	query := cmp.Or(os.Getenv("BOOKWORM_BENCH_QUERY"), "new")
	return newSandbox(b, c), fmt.Sprintf(`{"crate_name":%q,"crate_version":"1.0.0","query":%q}`, name, query), len(docs)
}

func search(b *testing.B, s sandbox, arguments string) (cpu float64) {
	b.Helper()
	cmd := s.oneshot(b, "crate_search_items", arguments, `"confirm_above_bytes":1000000000`)
	out, err := cmd.Output()
	if err != nil {
		b.Fatal(err)
	}
	if kind, text := outcome(b, out); kind != "success" {
		b.Fatal(text)
	}
	return float64((cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Milliseconds())
}

// BenchmarkFirstSearch measures a process that downloads an archive, indexes it and answers.
func BenchmarkFirstSearch(b *testing.B) {
	cpu, size := 0.0, 0
	for b.Loop() {
		b.StopTimer()
		s, arguments, n := newSandboxForBench(b)
		size = n
		b.StartTimer()
		cpu += search(b, s, arguments)
	}
	b.ReportMetric(cpu/float64(b.N), "cpu-ms/op")
	b.ReportMetric(float64(size)/1e6, "MB")
}

// BenchmarkSecondSearch measures a process that answers from an index that another process built.
func BenchmarkSecondSearch(b *testing.B) {
	s, arguments, _ := newSandboxForBench(b)
	search(b, s, arguments)
	cpu := 0.0
	for b.Loop() {
		cpu += search(b, s, arguments)
	}
	b.ReportMetric(cpu/float64(b.N), "cpu-ms/op")
}

// BenchmarkServedSearch measures a server that keeps running and answers again.
func BenchmarkServedSearch(b *testing.B) {
	s, arguments, _ := newSandboxForBench(b)
	search(b, s, arguments)
	h := start(b, jphost.Options{}, s.command(b, "mcp", "--jp"))
	for b.Loop() {
		reply, err := h.Call(context.Background(), "crate_search_items", json.RawMessage(arguments), nil)
		if err != nil || reply.Kind != jphost.OK {
			b.Fatal(err, reply.Text)
		}
	}
}
