package report

import (
	"strings"
	"testing"

	"github.com/jptool/jptool/bench/internal/build"
	"github.com/jptool/jptool/bench/internal/measure"
	"github.com/jptool/jptool/bench/internal/request"
)

// A figure above its maximum is reported as missed, with the percentage.
func TestPromises(t *testing.T) {
	tests := []struct {
		objects float64
		verdict string
	}{{32, "kept"}, {33, "missed by 3%"}, {64, "missed by 100%"}}
	for _, test := range tests {
		f := Figures{
			Subjects: []build.Subject{{Name: build.Jptool, Command: func(int) []string { return []string{"none"} }}},
			Allocs:   map[string]map[request.Era]measure.Allocs{build.Jptool: {request.Sessions: {Objects: test.objects}}},
		}
		if row := rowOf(f, "objects allocated per call"); !strings.HasSuffix(row, "| "+test.verdict+" |") {
			t.Errorf("%v objects: the report contains %q, want %q", test.objects, row, test.verdict)
		}
	}
}

// The report does not claim that a promise is kept if its figure was not measured.
func TestPromisesNotMeasured(t *testing.T) {
	for line := range strings.Lines((&Figures{}).Markdown()) {
		if strings.HasSuffix(strings.TrimSpace(line), "| kept |") {
			t.Errorf("nothing was measured, but the report contains %s", line)
		}
	}
}

// Ratios over HTTP use 8 connections without idle sessions, and subtract the allocations of net/http.
func TestPromisesOverHTTP(t *testing.T) {
	calls := func(sessions, requests float64) map[measure.HTTPVariant]measure.Calls {
		return map[measure.HTTPVariant]measure.Calls{
			{Era: request.Sessions, Conns: 8}:                 {CPU: measure.Sample{sessions}},
			{Era: request.Requests, Conns: 8}:                 {CPU: measure.Sample{requests}},
			{Era: request.Requests, Conns: 8, WithIdle: true}: {CPU: measure.Sample{1e6}},
			{Era: request.Requests, Conns: 1}:                 {CPU: measure.Sample{1e6}},
		}
	}
	allocs := func(objects, bytes float64) map[request.Era]measure.Allocs {
		return map[request.Era]measure.Allocs{request.Sessions: {Objects: 1, Bytes: 1}, request.Requests: {Objects: objects, Bytes: bytes}}
	}
	f := Figures{HTTP: &measure.HTTP{
		Calls: map[string]map[measure.HTTPVariant]measure.Calls{
			build.Jptool: calls(40, 30), build.Baseline: calls(20, 20), build.Typed: calls(400, 300), build.Plain: calls(40, 30),
		},
		Allocs: map[string]map[request.Era]measure.Allocs{build.Jptool: allocs(60, 3072), build.Baseline: allocs(20, 1024)},
		Idle:   map[string]measure.Idle{build.Jptool: {Sessions: 10_000, Bytes: 3 << 10}},
	}}
	for what, want := range map[string]string{
		"HTTP: CPU per call without a session, 8 connections, relative to the baseline": "1.5 | 2 | kept",
		"HTTP: CPU per call in a session, 8 connections, relative to the baseline":      "2 | 2.5 | kept",
		"HTTP: CPU per call, 8 connections, relative to go-sdk typed":                   "0.1 | 0.12 | kept",
		"HTTP: CPU per call with full checks, 8 connections, relative to mcp-go":        "1 | 0.5 | missed by 100%",
		"HTTP: objects allocated per call":                                              "40 | 45 | kept",
		"HTTP: KiB allocated per call":                                                  "2 | 2.5 | kept",
		"HTTP: KiB of memory per idle session":                                          "3 | 4 | kept",
	} {
		if row := rowOf(f, what); !strings.HasSuffix(row, "| "+want+" |") {
			t.Errorf("the report contains %q, want %q", row, want)
		}
	}
}

// rowOf returns the first line in the tables of a report that starts with the text what.
func rowOf(f Figures, what string) string {
	for line := range strings.Lines(f.Markdown()) {
		if strings.HasPrefix(line, "| "+what) {
			return strings.TrimSpace(line)
		}
	}
	return ""
}
