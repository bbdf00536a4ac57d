package abuse

import (
	"github.com/jptool/jptool/bench/internal/request"
)

// A Target is a server under test.
type Target struct {
	// Command starts the server with the tool of the comparison.
	Command []string
	// Stress is the command that starts a server of the same SDK with tools that wait, ask, quote and crash.
	// If it is nil, trials that need such a server are skipped.
	Stress []string
	// HTTP is set if the commands forward each line to a server over HTTP.
	HTTP bool
}

// A Trial is a test that a server must pass.
type Trial struct {
	Group, Name string
	// NeedsStress is set if the trial needs the server of [Target.Stress].
	NeedsStress bool
	// Pipes is set if the trial is only for stdio.
	Pipes bool
	// Run returns an error that describes the fault of the server.
	Run func(Target) error
}

// Groups are the groups of trials, in the order of the report.
var Groups = []string{"framing", "envelope", "arguments", "_meta", "protocol", "resources", "arg-fuzz", "concurrency", "process", "asking", "jp"}

// Trials returns all trials for a generation of MCP.
func Trials(era request.Era) []Trial {
	var all []Trial
	for _, c := range Cases(era) {
		all = append(all, Trial{
			Group: c.Group, Name: c.Name, Pipes: c.pipes(era),
			Run: func(t Target) error { return Judge(t.Command, era, c) },
		})
	}
	all = append(all, protocol(era)...)
	all = append(all, fuzz(era)...)
	all = append(all, concurrency(era)...)
	all = append(all, processes(era)...)
	all = append(all, asking(era)...)
	return append(all, jp(era)...)
}
