package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestExpectedFindings(t *testing.T) {
	file := filepath.Join(t.TempDir(), "expected.txt")
	text := "# known\n\n* 2026-07-28 tasks-* * not made\nstdio * headers match the bridge's\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	all, err := readExpected(file)
	if err != nil {
		t.Fatal(err)
	}
	tasks, headers := finding{Scenario: "tasks-lifecycle", Check: "a"}, finding{Scenario: "headers", Check: "match"}
	for _, tc := range []struct {
		transport, version string
		findings           []finding
		want               []string
	}{
		{"stdio", "2026-07-28", []finding{tasks, headers}, nil},
		{"stdio", "2026-07-28", []finding{tasks}, []string{"line 4 expects headers match, which did not occur"}},
		{"http", "2026-07-28", []finding{tasks, headers}, []string{"http 2026-07-28: headers: match"}},
		{"http", "2025-11-25", nil, nil},
		{"http", "2026-07-28", nil, []string{"line 3 expects tasks-* *, which did not occur"}},
	} {
		r := &results{required: []string{"ping"}, ran: map[string]bool{"ping": true}, findings: tc.findings}
		got := all.compare(tc.transport, tc.version, r)
		if !slices.EqualFunc(got, tc.want, strings.Contains) {
			t.Errorf("%s %s: %q, want %q", tc.transport, tc.version, got, tc.want)
		}
	}
	if got := all.compare("http", "2025-11-25", &results{required: []string{"ping"}}); len(got) != 1 || !strings.Contains(got[0], "ping did not run") {
		t.Errorf("missing scenario: got %q", got)
	}
	if err := os.WriteFile(file, []byte("stdio * headers match\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := readExpected(file); err == nil || !strings.Contains(err.Error(), ":1: a line needs transport") {
		t.Errorf("line without a reason: got %v", err)
	}
}

func TestResultsOfTheSuite(t *testing.T) {
	out := t.TempDir()
	dir := filepath.Join(out, "server-tools-list-2026-11-21T19-11-37-281Z")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	checks := `[{"id":"a","status":"SUCCESS"},{"id":"b","status":"WARNING","details":{"message":"hm"}},{"id":"c","status":"FAILURE","errorMessage":"no","details":null},{"id":"d","status":"SKIPPED"}]`
	if err := os.WriteFile(filepath.Join(dir, "checks.json"), []byte(checks), 0o600); err != nil {
		t.Fatal(err)
	}
	r := &results{required: requiredScenarios("server", "x: 1\nserver:\n  - tools-list\n  - ping\nclient:\n  - other\n"), ran: map[string]bool{}}
	if err := r.read(out); err != nil {
		t.Fatal(err)
	}
	want := []finding{{"tools-list", "b", "hm", false}, {"tools-list", "c", "no", true}}
	if !slices.Equal(r.findings, want) || r.successes != 1 || r.countPassed() != 0 || !slices.Equal(r.required, []string{"tools-list", "ping"}) {
		t.Errorf("results %+v", r)
	}
	if got := requiredScenarios("client", "server:\n  - ping\nclient:\n  - other\n"); !slices.Equal(got, []string{"other"}) {
		t.Errorf("client scenarios: %q", got)
	}
	r.exits([]string{"tools-list", "ping"})
	if last := r.findings[len(r.findings)-1]; len(r.findings) != 3 || last.Scenario != "ping" || !last.Failure {
		t.Errorf("findings %+v, want another one for ping", r.findings)
	}
	if err := r.read(t.TempDir()); err == nil {
		t.Error("a directory without results was accepted")
	}
}
