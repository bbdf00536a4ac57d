package main

import (
	"errors"
	"os/exec"
	"strings"
	"testing"
)

func TestWrongCommandLine(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ arg, want string }{
		{"--nope", "unknown flag: --nope"},
		{"--db", "flag needs an argument: --db"},
		{"--note-create=perhaps", "invalid argument"},
		{"--jp=none", "--jp=none"},
		{"serve", `unexpected argument "serve"`},
		{"--option=note_search.max_results=0", "max_results"},
		{"--option=note_search.most=1", "max_results"},
		{"--option=note_find.max_results=1", `there is no tool "note_find"`},
		{"--option=max_results=1", "each tool has its own value: use note_"},
	} {
		cmd := command(t, nil, c.arg)
		out, err := cmd.Output()
		if code := cmd.ProcessState.ExitCode(); code != 2 || len(out) > 0 {
			t.Errorf("%s: exit status %d, %v, and %q on standard output", c.arg, code, err, out)
			continue
		}
		if told := stderr(err); !strings.Contains(told, c.want) || !strings.Contains(told, "--help") {
			t.Errorf("%s: it says %q, want %q", c.arg, told, c.want)
		}
	}
}

func TestLogByTheEnvironment(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		variable, flag, want string
		status               int
	}{
		{"RUST_LOG=", "--db=none", "database not found", 0},
		{"RUST_LOG=off", "--db=none", "", 0},
		{"RUST_LOG=off", "--log-level=warn", "database not found", 0},
		{"RUST_LOG=trace", "--db=none", "database not found", 0},
		{"RUST_LOG=loud", "--db=none", "$RUST_LOG: invalid level", 2},
	} {
		cmd := command(t, []string{c.variable}, c.flag)
		var log strings.Builder
		cmd.Stderr = &log
		out, _ := cmd.Output() // the test checks the exit status
		if told := log.String(); cmd.ProcessState.ExitCode() != c.status || len(out) > 0 || !strings.Contains(told, c.want) || c.want == "" && told != "" {
			t.Errorf("%s %s: exit status %d, %q, and %q on standard output", c.variable, c.flag, cmd.ProcessState.ExitCode(), told, out)
		}
	}
}

// stderr returns the standard error of a failed command.
func stderr(err error) string {
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return string(exit.Stderr)
	}
	return ""
}
