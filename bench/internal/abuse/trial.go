package abuse

import (
	"github.com/jptool/jptool/bench/internal/request"
)

// A Target is a server that is judged.
type Target struct {
	// Command starts it with the one tool of the comparison.
	Command []string
	// Manners starts a server of the same make whose tools wait, ask, quote and crash;
	// nil is none, and leaves out the trials that need one.
	Manners []string
	// HTTP says that the commands post each line to a server over HTTP.
	HTTP bool
}

// A Trial is something that a server must stand.
type Trial struct {
	Group, Name string
	// Ours says that only a server of manners can be tried.
	Ours bool
	// Pipes says that it makes sense on standard streams alone.
	Pipes bool
	// Run returns what the server did that it should not have.
	Run func(Target) error
}

// Groups are the groups of trials, in the order in which they are told.
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
