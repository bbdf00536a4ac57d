package wire

import (
	"encoding/json"
	"strings"
	"sync"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/sdk/access"
)

// Action is the action that the host requests for a call.
type Action string

// Actions of jp_tool. JP calls MCP servers only with ActionRun. A tool must do nothing for any other action.
const (
	ActionRun             Action = "run"              // run the tool
	ActionFormatArguments Action = "format_arguments" // render its arguments for a person, without side effects
	ActionSchema          Action = "schema"           // describe the tool (JP RFD D06)
)

// Context describes where a call comes from (jp_tool::Context).
type Context struct {
	// Root is the workspace directory. It may be relative, not normalized, or empty.
	Root string
	// Action is the requested action.
	Action Action
	// Access is the policy that the user granted; nil means that there are no restrictions.
	Access *access.Policy
	// WorkspaceID and ConversationID are opaque.
	WorkspaceID    string
	ConversationID string
}

var callContext = sync.OnceValue(func() shape {
	return object(
		field{"root", lax, text},
		field{"action", lax, text},
		field{"access", lax, policy()},
		field{"workspace_id", lax, text},
		field{"conversation_id", lax, text},
	)
})

// ReadContext parses the context of a call. D31 hosts send less than jp_tool does, so every field may be
// missing or null, and raw may be nil or null. Unknown fields are ignored. Action is matched without regard
// to case or underscores, since RFD D31 writes "Run"; a missing action is ActionRun, and an unknown one is kept.
// An access policy must be valid. Wrong types and repeated fields are errors. The text of such an
// error starts with the field's name.
func ReadContext(raw []byte) (Context, error) {
	c := Context{Action: ActionRun}
	if err := read(raw, callContext(), &c); err != nil {
		return Context{}, err
	}
	plain := func(a Action) string { return strings.ToLower(strings.ReplaceAll(string(a), "_", "")) }
	for _, known := range []Action{ActionRun, ActionFormatArguments, ActionSchema} {
		if plain(c.Action) == plain(known) {
			c.Action = known
		}
	}
	return c, nil
}

// Tool is the call itself: what a host sends under [MetaTool], or passes to a local tool.
type Tool struct {
	// Name is the host's name of the tool, which may differ from the name in the request.
	Name string
	// Arguments is the unchanged JSON object of arguments, or nil.
	Arguments json.RawMessage
	// Answers are JSON values of any type, keyed by question id, possibly also for questions that were not
	// asked.
	Answers map[string]json.RawMessage
	// Options is the unchanged JSON object that the user configured for the tool, or nil.
	Options json.RawMessage
}

var call = sync.OnceValue(func() shape {
	return object(
		field{"name", lax, text},
		field{"arguments", lax, anyObject},
		field{"answers", lax, anyObject},
		field{"options", lax, anyObject},
	)
})

// ReadTool parses a tool as [ReadContext] parses a context. If an answer is repeated, the last one is
// used, as in serde's maps.
func ReadTool(raw []byte) (t Tool, err error) {
	err = read(raw, call(), &t)
	return t, err
}

// read decodes a document of shape s into *to, unless the document is nil or null.
func read(raw []byte, s shape, to any) error {
	if raw == nil {
		return nil
	}
	if err := Check(raw); err != nil || jsontext.Value(raw).Kind() == 'n' {
		return err
	}
	v, err := s(raw)
	if err != nil {
		return err
	}
	return jsonv2.Unmarshal(v, to, jsonv2.MatchCaseInsensitiveNames(true), jsontext.AllowDuplicateNames(true))
}

// policy returns the shape of jp_tool::AccessPolicy (JP RFD 076). Its sections may be missing but not null.
func policy() shape {
	return record(
		field{"fs", mayLack, list(record(
			field{"lexical_path", required, text},
			field{"external", mayLack, boolean},
			field{"approved_target", lax, text},
			field{"read", lax, boolean},
			field{"write", lax, boolean},
			field{"create", lax, boolean},
			field{"update", lax, boolean},
			field{"delete", lax, boolean},
			field{"execute", lax, boolean},
		))},
		field{"net", mayLack, list(record(
			field{"host", required, text},
			field{"scheme", lax, text},
			field{"port", lax, port},
			field{"path_prefix", lax, text},
			field{"allow", mayLack, boolean},
		))},
		field{"env", mayLack, list(record(
			field{"name", required, text},
			field{"read", mayLack, boolean},
		))},
	)
}
