package soak

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/jptool/jptool/bench/internal/drive"
)

// leaky returns the report of a run whose memory grows by the given number of bytes per 100,000 calls, with
// constant noise.
func leaky(growth int) Report {
	r := Report{Calls: 1_000_000, GoroutinesBefore: 20, GoroutinesAfter: 21}
	for i := range 200 {
		rss := 16<<20 + i*growth/20
		if i < 20 {
			rss = i << 20 // the memory of a server grows while it warms up
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
	if err == nil || strings.Count(err.Error(), " grew ") != 4 {
		t.Errorf("growing resources: got %v", err)
	}
}

func TestExpectedAnswers(t *testing.T) {
	const result, failed = `"result":{"content":[{"text":"%d x"}]}`, `"result":{"isError":true}`
	refused := func(code int) string { return fmt.Sprintf(`"error":{"code":%d}`, code) }
	for _, test := range []struct {
		call, id int
		rest     string
		ok       bool
	}{
		{100, 100, fmt.Sprintf(result, 100), true}, {100, 101, fmt.Sprintf(result, 100), false},
		{100, 100, fmt.Sprintf(result, 101), false}, {100, 100, `"result":{}`, false}, {100, 100, failed, false},
		{102, 102, failed, true}, {102, 102, refused(-32602), true}, {102, 102, fmt.Sprintf(result, 102), false}, {102, 102, refused(-32603), false},
		{103, 103, refused(-32602), true}, {104, 104, refused(-32600), true}, {104, 104, refused(-32602), false}, {101, 101, failed, true},
	} {
		line := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,%s}`, test.id, test.rest)
		if got := fits(test.call, drive.Response{Status: 200, Body: []byte(line)}); got != test.ok {
			t.Errorf("call %d, a %v: %s is the expected answer: %t", test.call, kindOf(test.call), line, got)
		}
	}
}
