package wire

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

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

var actions = []Action{ActionRun, ActionFormatArguments, ActionSchema}

// Known reports whether a is an action of this package. A tool must do nothing for an unknown action.
func (a Action) Known() bool { return slices.Contains(actions, a) }

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
	plain := func(a Action) string { return strings.ToLower(strings.ReplaceAll(string(a), "_", "")) }
	text(n, a)
	for _, known := range actions {
		if n.reading && plain(*a) == plain(known) {
			*a = known
		}
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
	if raw == nil || jsontext.Value(raw).Kind() == 'n' && Check(raw) == nil {
		return []byte("{}")
	}
	return raw
}

// policy reads or writes the access policy of a tool (jp_tool::AccessPolicy, JP RFD 076). Its sections may be
// missing but not null. Rules are written with all fields; unset fields, false and "" are written as null, which
// means the same to JP.
func policy(n node, p *access.Policy) {
	n.record(func(f *fields) {
		field(f, "fs", mayLack, &p.FS, list(fsRule))
		field(f, "net", mayLack, &p.Net, list(netRule))
		field(f, "env", mayLack, &p.Env, list(envRule))
	})
}

func fsRule(n node, r *access.FSRule) {
	n.record(func(f *fields) {
		field(f, "lexical_path", required, &r.Path, text)
		field(f, "external", mayLack, &r.External, boolean)
		field(f, "approved_target", optional, &r.Target, text)
		field(f, "read", optional, &r.Read, boolean)
		field(f, "write", optional, &r.Write, boolean)
		field(f, "create", optional, &r.Create, pointer(boolean))
		field(f, "update", optional, &r.Update, pointer(boolean))
		field(f, "delete", optional, &r.Delete, pointer(boolean))
		field(f, "execute", optional, &r.Execute, boolean)
	})
}

func netRule(n node, r *access.NetRule) {
	n.record(func(f *fields) {
		field(f, "host", required, &r.Host, text)
		field(f, "scheme", optional, &r.Scheme, text)
		field(f, "port", optional, &r.Port, pointer(port))
		field(f, "path_prefix", optional, &r.PathPrefix, text)
		field(f, "allow", mayLack, &r.Allow, boolean)
	})
}

func envRule(n node, r *access.EnvRule) {
	n.record(func(f *fields) {
		field(f, "name", required, &r.Name, text)
		field(f, "read", mayLack, &r.Read, boolean)
	})
}
