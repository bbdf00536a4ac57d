package wire

import (
	"encoding/json"
	"strings"

	"github.com/jptool/jptool/sdk/access"
)

// Action is the action that the host requests for a call.
type Action string

// Actions of jp_tool. JP calls MCP servers only with ActionRun.
const (
	ActionRun             Action = "run"              // run the tool
	ActionFormatArguments Action = "format_arguments" // render its arguments for a person, without effects
	ActionSchema          Action = "schema"           // describe the tool (JP RFD D06)
)

// Known reports whether a is an action of this package. A tool must do nothing for an unknown action.
func (a Action) Known() bool {
	return a == ActionRun || a == ActionFormatArguments || a == ActionSchema
}

// Context describes where a call comes from (jp_tool::Context).
type Context struct {
	// Root is the workspace directory. It may be relative, not normalized, or empty.
	Root string
	// Action is the requested action.
	Action Action
	// Access is the policy that the user granted; nil means no policy, which restricts nothing.
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

// action reads or writes an action. It reads names without regard to case or underscores.
func action(n node, a *Action) {
	if text(n, a); !n.reading {
		return
	}
	switch strings.ToLower(strings.ReplaceAll(string(*a), "_", "")) {
	case "run":
		*a = ActionRun
	case "formatarguments":
		*a = ActionFormatArguments
	case "schema":
		*a = ActionSchema
	}
}

// ReadContext parses the context of a call. D31 hosts send less than jp_tool does, so every field may be
// missing or null, and raw may be nil or null. Unknown fields are ignored. Action is matched without regard
// to case, since RFD D31 writes "Run"; a missing action is ActionRun, and an unknown one is kept but not
// Known. An access policy must be valid. Wrong types and repeated fields are errors, whose text starts with
// the field's name.
func ReadContext(raw []byte) (Context, error) { return read(orEmpty(raw), callContext) }

// AppendContext appends c as jp_tool writes it: one object without a trailing newline, with five fields in
// order. A nil Access is written as null, and the action is written unchanged.
func AppendContext(dst []byte, c Context) []byte {
	dst, _ = write(dst, c, callContext)
	return dst
}

// Tool is the call itself: what a host sends under [MetaTool], or passes to a local tool.
type Tool struct {
	// Name is the host's name of the tool, which may differ from the name in the request.
	Name string
	// Arguments is the unchanged JSON object of arguments, or nil.
	Arguments json.RawMessage
	// Answers are the answers so far, by question id, and possibly answers to questions that were not asked. A
	// value can be any JSON, including null.
	Answers map[string]json.RawMessage
	// Options is the unchanged JSON object that the user configured for the tool, or nil.
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

// ReadTool parses a tool. Every field may be missing or null, and raw may be nil or null. Unknown fields are
// ignored. A repeated field or a wrong type is an error, whose text starts with the field's name. If an
// answer is repeated, the last one is used, as in serde's maps.
func ReadTool(raw []byte) (Tool, error) { return read(orEmpty(raw), call) }

// AppendTool appends t: four fields in order, answers sorted by id, nil fields as {}. Raw fields are written
// unchanged; if one is not JSON, AppendTool returns an error and dst unchanged.
func AppendTool(dst []byte, t Tool) ([]byte, error) { return write(dst, t, call) }

// orEmpty returns {} for a document that is nil or null, otherwise raw.
func orEmpty(raw []byte) []byte {
	if raw == nil || value(raw).null() && Check(raw) == nil {
		return []byte("{}")
	}
	return raw
}
