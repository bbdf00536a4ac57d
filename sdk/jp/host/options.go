package host

import (
	"encoding/json"
	"io"

	"github.com/jptool/jptool/sdk/access"
	"github.com/jptool/jptool/sdk/jp/wire"
)

// Mode says which JP the host is.
type Mode int

// The modes of a host.
const (
	// D31 is JP with RFD D31: tools get answers, options and context, and their outcomes count.
	D31 Mode = iota
	// Snapshot is JP at 2026-08-22: nothing of JP in the request, results as any MCP client has them.
	Snapshot
)

// Profile says what a D31 host puts into the context it sends.
type Profile int

// The profiles of a context. RFD D31 leaves open which of them will come.
const (
	ProfileD31      Profile = iota // action "Run" and root, as RFD D31 prints it
	ProfileSnapshot                // all fields of jp_tool::Context, action "run"
)

// Direction is that of a line on the wire.
type Direction int

// The directions, seen from the host.
const (
	Sent Direction = iota
	Received
)

// DefaultMaxRounds bounds [Host.Call] when [Options].MaxRounds is zero.
const DefaultMaxRounds = 100

// Options is what a user of JP would configure. The zero value is a D31 host without any.
type Options struct {
	// Mode defaults to [D31].
	Mode Mode
	// Profile defaults to [ProfileD31].
	Profile Profile
	// Codec reads outcomes; nil is [wire.Snapshot].
	Codec wire.Codec

	// Root, WorkspaceID and ConversationID are sent in the context, the ids by ProfileSnapshot
	// alone.
	Root           string
	WorkspaceID    string
	ConversationID string
	// Access is sent by ProfileSnapshot. JP itself has no policy for MCP tools.
	Access *access.Policy

	// Answers has, by tool and question id, what the user configured. They go along from the
	// first round on, and a question that has one is never asked.
	Answers map[string]map[string]json.RawMessage
	// ToolOptions has, by tool, a JSON object of options.
	ToolOptions map[string]json.RawMessage
	// AlwaysMeta sends tool and context although there are neither answers nor options.
	AlwaysMeta bool
	// NoGrease stops the host from adding keys, context fields and answers that no tool knows.
	// They are there so that no tool comes to depend on their absence.
	NoGrease bool

	// MaxRounds bounds the rounds of one call; zero is [DefaultMaxRounds].
	MaxRounds int
	// NoParseError leaves lines that are not JSON-RPC without the reply that JP's client sends,
	// an error without id.
	NoParseError bool
	// Stderr gets what a started command writes there; nil discards it.
	Stderr io.Writer
	// Trace sees every line on the wire, without its newline. It must not keep the line, and is
	// called from several goroutines at once.
	Trace func(Direction, []byte)
}

func (o Options) codec() wire.Codec {
	if o.Codec == nil {
		return wire.Snapshot()
	}
	return o.Codec
}

func (o Options) maxRounds() int {
	if o.MaxRounds <= 0 {
		return DefaultMaxRounds
	}
	return o.MaxRounds
}
