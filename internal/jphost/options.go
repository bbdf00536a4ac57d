package jphost

import (
	"encoding/json"
	"io"

	"github.com/jptool/jptool/internal/jpdoc"
	"github.com/jptool/jptool/internal/peer"
	"github.com/jptool/jptool/sdk/access"
)

// mode is the version of JP that the host imitates.
type mode int

// Modes of a host.
const (
	// d31 is JP with RFD D31: tools receive answers, options and context, and their outcomes are interpreted.
	d31 mode = iota
	// snapshot is JP as of 2026-08-22: requests contain nothing specific to JP, and results are handled as in
	// any MCP client.
	snapshot
)

// Profile selects the content of the context that a host sends.
type Profile int

// Profiles of a context. RFD D31 leaves open which of them JP will use.
const (
	profileD31      Profile = iota // the root and the action "Run", as in the text of RFD D31
	ProfileSnapshot                // all fields of jp_tool::Context, with the action "run"
)

// Direction says which side sent a line, as an arrow.
type Direction = peer.Direction

// Options are the settings that a user of JP would configure. The zero value configures nothing.
type Options struct {
	// Profile selects the context. By default, it consists of the action "Run" and the root, as printed
	// in RFD D31.
	Profile Profile
	// Codec parses outcomes.
	Codec jpdoc.Codec

	// Root, WorkspaceID and ConversationID are sent in the context; the ids only with ProfileSnapshot.
	Root           string
	WorkspaceID    string
	ConversationID string
	// Access is sent with ProfileSnapshot. With any profile, it makes the host send tool and context. JP itself
	// does not have a policy for MCP tools.
	Access *access.Policy

	// Answers holds the configured answers, keyed by tool and question id. They are sent in every round, so
	// their questions are never asked.
	Answers map[string]map[string]json.RawMessage
	// ToolOptions contains a JSON object of options for each tool.
	ToolOptions map[string]json.RawMessage
	// AlwaysMeta makes the host send tool and context even without answers, options or an access policy.
	AlwaysMeta bool
	// NoGrease stops the host from adding unknown keys, context fields and answers. The host adds them so that
	// tools do not come to depend on their absence.
	NoGrease bool

	// Stderr receives the standard error of a started command. If it is nil, the standard error is discarded.
	Stderr io.Writer
	// Trace receives every line in both directions, without its newline. It must not keep the line, and must be
	// safe for concurrent use.
	Trace func(Direction, []byte)

	mode mode
}
