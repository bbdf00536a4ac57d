package wire

import (
	"encoding/json"
	"strings"

	"github.com/jptool/jptool/sdk/access"
)

// Action says what the host wants done with a call.
type Action string

// The actions of jp_tool. JP calls MCP servers with ActionRun alone.
const (
	ActionRun             Action = "run"              // run the tool
	ActionFormatArguments Action = "format_arguments" // render its arguments for a person, without effects
)

// Known reports whether a is an action of this package. Under an unknown one a tool must not act.
func (a Action) Known() bool { return a == ActionRun || a == ActionFormatArguments }

// Context is where a call comes from (jp_tool::Context).
type Context struct {
	// Root is the workspace directory: absolute or not, not normalised, possibly empty.
	Root string
	// Action is what to do.
	Action Action
	// Access is what the user grants; nil is no policy at all, which restricts nothing.
	Access *access.Policy
	// WorkspaceID and ConversationID are opaque.
	WorkspaceID    string
	ConversationID string
}

func callContext(n node, c *Context) {
	if n.reading {
		c.Action = ActionRun
	}
	n.object(func(f *fields) {
		field(f, "root", lax, &c.Root, text)
		field(f, "action", lax, &c.Action, action)
		field(f, "access", optional, &c.Access, pointer(policy))
		field(f, "workspace_id", lax, &c.WorkspaceID, text)
		field(f, "conversation_id", lax, &c.ConversationID, text)
	})
}

// action finds the action meant by "Run" or "FormatArguments".
func action(n node, a *Action) {
	if text(n, a); !n.reading {
		return
	}
	switch strings.ToLower(strings.ReplaceAll(string(*a), "_", "")) {
	case "run":
		*a = ActionRun
	case "formatarguments":
		*a = ActionFormatArguments
	}
}

// ReadContext reads what a host sends with a call. D31 hosts send less than jp_tool does, so every
// field may be missing or null, and the whole may be nil or null. Unknown fields are ignored. Action is matched
// without regard to case, which RFD D31 writes "Run"; a missing one is ActionRun and an unknown one
// is kept, not Known. An access policy that is given has to be right. Wrong types and repeated
// fields are errors that begin with the field.
func ReadContext(raw []byte) (Context, error) { return read(orEmpty(raw), callContext) }

// AppendContext appends c as jp_tool writes it: five fields in order, access null when nil. The
// action is written as it stands. It is one object, without newline.
func AppendContext(dst []byte, c Context) []byte {
	dst, _ = write(dst, c, callContext)
	return dst
}

// Tool is the call itself: what a host sends under [MetaTool], or hands to a local tool.
type Tool struct {
	// Name of the tool as the host knows it; not necessarily the name called.
	Name string
	// Arguments is a JSON object as it came, or nil.
	Arguments json.RawMessage
	// Answers has what was answered so far by question id, and possibly answers to questions that
	// were not asked. A value may be any JSON, null included.
	Answers map[string]json.RawMessage
	// Options is the JSON object that the user configured for the tool, as it came, or nil.
	Options json.RawMessage
}

func call(n node, t *Tool) {
	n.object(func(f *fields) {
		field(f, "name", lax, &t.Name, text)
		field(f, "arguments", lax, &t.Arguments, rawObject)
		field(f, "answers", lax, &t.Answers, dictionary)
		field(f, "options", lax, &t.Options, rawObject)
	})
}

// ReadTool reads a tool of which every field may be missing or null, and the whole nil or null.
// Unknown fields are ignored. A repeated field or a wrong type is an error that begins with it.
// Of an answer that is given twice the last one counts, as for serde's maps.
func ReadTool(raw []byte) (Tool, error) { return read(orEmpty(raw), call) }

// AppendTool appends t: four fields in order, answers sorted by id, nil fields as {}. Raw fields
// go out as they are; one that is not JSON is an error, and dst comes back as given.
func AppendTool(dst []byte, t Tool) ([]byte, error) { return write(dst, t, call) }

// orEmpty is {} for a document that is nil or null.
func orEmpty(raw []byte) []byte {
	if raw == nil || value(raw).null() && Check(raw) == nil {
		return []byte("{}")
	}
	return raw
}
