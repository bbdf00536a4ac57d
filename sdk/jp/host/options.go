package host

import (
	"encoding/json"
	"io"

	"github.com/jptool/jptool/internal/peer"
	"github.com/jptool/jptool/sdk/access"
	"github.com/jptool/jptool/sdk/jp/wire"
)

// mode says which JP the host is.
type mode int

// The modes of a host.
const (
	// d31 is JP with RFD D31: tools get answers, options and context, and their outcomes count.
	d31 mode = iota
	// snapshot is JP at 2026-08-22: nothing of JP in the request, results as any MCP client has them.
	snapshot
)

// Profile says what a host puts into the context it sends.
type Profile int

// The profiles of a context. RFD D31 leaves open which of them will come.
const (
	profileD31      Profile = iota // action "Run" and root, as RFD D31 prints it
	ProfileSnapshot                // all fields of jp_tool::Context, action "run"
)

// Direction is that of a line on the wire, as an arrow.
type Direction = peer.Direction

// Options is what a user of JP would configure. The zero value is a host without any.
type Options struct {
	// Profile defaults to action "Run" and root, as RFD D31 prints it.
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

	// Stderr gets what a started command writes there; nil discards it.
	Stderr io.Writer
	// Trace sees every line on the wire, without its newline. It must not keep the line, and is
	// called from several goroutines at once.
	Trace func(Direction, []byte)

	mode mode
}

func (o Options) codec() wire.Codec {
	if o.Codec == nil {
		return wire.Snapshot()
	}
	return o.Codec
}
