package jphost

import (
	"encoding/json"
	"io"

	"github.com/jptool/jptool/internal/peer"
	"github.com/jptool/jptool/sdk/access"
	"github.com/jptool/jptool/sdk/jp/jpdoc"
)

// Version is the version of JP that a host imitates.
type Version int

// Versions of a host.
const (
	// Today is JP since 2026-08-24: every request contains the tool and the context, and the host looks up a
	// configured answer when a tool asks its question.
	Today Version = iota
	// Untagged is JP before 2026-08-24, with RFD D31 as it was designed: questions have an untagged answer_type, and
	// requests contain the configured answers. They contain the tool and the context only if there is something to
	// send. The context consists of the action "Run" and the root.
	Untagged
	// snapshot is JP as of 2026-08-22: requests contain nothing specific to JP, and results are handled as in
	// any MCP client.
	snapshot
)

// Codec returns the codec of outcomes that the version reads.
func (v Version) Codec() jpdoc.Codec {
	if v == Today {
		return jpdoc.Tagged()
	}
	return jpdoc.Untagged()
}

// Direction says which side sent a line, as an arrow.
type Direction = peer.Direction

// Options are the settings that a user of JP would configure. The zero value configures nothing.
type Options struct {
	// Version is the version of JP.
	Version Version

	// Root, WorkspaceID and ConversationID are sent in the context, if the version has them.
	Root           string
	WorkspaceID    string
	ConversationID string
	// Access is the access policy of a tool. JP itself does not have a policy for MCP tools.
	Access *access.Policy

	// Answers holds the configured answers, keyed by tool and question id. Their questions are never passed to an
	// [Answerer].
	Answers map[string]map[string]json.RawMessage
	// ToolOptions contains a JSON object of options for each tool.
	ToolOptions map[string]json.RawMessage
	// AlwaysMeta makes an [Untagged] host send the tool and the context even if there is nothing to send.
	AlwaysMeta bool
	// NoGrease stops the host from adding unknown keys, context fields and answers. The host adds them so that
	// tools do not come to depend on their absence.
	NoGrease bool

	// Stderr receives the standard error of a started command. If it is nil, the standard error is discarded.
	Stderr io.Writer
	// Trace receives every line in both directions, without its newline. It must not keep the line, and must be
	// safe for concurrent use.
	Trace func(Direction, []byte)
}
