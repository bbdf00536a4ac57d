package wire

import (
	"strings"
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

const actions = `"run" or "format_arguments"`

// Context is where a call comes from (jp_tool::Context).
type Context struct {
	// Root is the workspace directory: absolute or not, not normalised, possibly empty.
	Root string
	// Action is what to do.
	Action Action
	// Access is what the user grants; nil is no policy at all, which restricts nothing.
	Access *AccessPolicy
	// WorkspaceID and ConversationID are opaque.
	WorkspaceID    string
	ConversationID string
}

var contextLayout = layout{
	fields:     []string{"root", "action", "access", "workspace_id", "conversation_id"},
	positional: 5,
}

// ReadContext reads a context with the verdict of jp_tool: everything but access is mandatory and
// the action is one of the two in lower case. Unknown fields are ignored but have to pass [Check]
// like the rest. Every error is an [*Error].
func ReadContext(data []byte) (Context, error) {
	v, err := parse(data)
	if err != nil {
		return Context{}, err
	}
	r := contextLayout.read(v, "")
	c := Context{
		Root:           r.str("root"),
		Action:         get(r, "action", readAction),
		Access:         opt(r, "access", readAccess),
		WorkspaceID:    r.str("workspace_id"),
		ConversationID: r.str("conversation_id"),
	}
	if r.err != nil {
		return Context{}, r.err
	}
	return c, nil
}

// readAction takes {"run":null} beside "run", as serde does for a unit variant.
func readAction(v value, key string) (Action, error) {
	name, err := unitName(v, key)
	if err != nil {
		return "", err
	}
	if a := Action(name); a.Known() {
		return a, nil
	}
	return "", &Error{Code: CodeVariant, Key: key, Want: actions, Got: shorten(name)}
}

func unitName(v value, key string) (string, error) {
	if v.kind() != '{' {
		return v.asString(key)
	}
	members := v.members()
	if len(members) != 1 {
		return "", &Error{Code: CodeLength, Key: key, Want: "an object with one name"}
	}
	return members[0].name, unit(members[0].value, key, false)
}

// ReadContextLoose reads what a server finds under [MetaContext]. D31 hosts send less than
// [ReadContext] demands, so every field may be missing or null, and so may the whole. Action is
// matched without regard to case, which RFD D31 writes "Run"; a missing one is ActionRun and an
// unknown one is kept, not Known. An access policy that is given has to be right. Wrong types and
// repeated fields are an [*Error] that names the field below [MetaContext].
func ReadContextLoose(raw []byte) (Context, error) {
	r, err := readLoose(raw, contextLayout)
	if err != nil {
		return Context{}, err
	}
	c := Context{
		Root:           orZero(opt(r, "root", value.asString)),
		Action:         ActionRun,
		Access:         opt(r, "access", readAccess),
		WorkspaceID:    orZero(opt(r, "workspace_id", value.asString)),
		ConversationID: orZero(opt(r, "conversation_id", value.asString)),
	}
	if name := opt(r, "action", value.asString); name != nil {
		c.Action = foldAction(*name)
	}
	if r.err != nil {
		return Context{}, r.err
	}
	return c, nil
}

// foldAction finds the action meant by "Run" or "FormatArguments".
func foldAction(name string) Action {
	plain := strings.ReplaceAll(name, "_", "")
	for _, a := range []Action{ActionRun, ActionFormatArguments} {
		if strings.EqualFold(plain, strings.ReplaceAll(string(a), "_", "")) {
			return a
		}
	}
	return Action(name)
}

// readLoose reads an object of which nothing is mandatory, itself included.
func readLoose(raw []byte, l layout) (*record, error) {
	if len(raw) == 0 {
		return &record{}, nil
	}
	v, err := parse(raw)
	if err != nil {
		return nil, err
	}
	switch v.kind() {
	case 'n':
		return &record{}, nil
	case '{':
		return l.fromObject(v.members(), ""), nil
	}
	return nil, v.wrongType("", "an object")
}

func orZero[T any](p *T) (zero T) {
	if p == nil {
		return zero
	}
	return *p
}

// AppendContext appends c as jp_tool writes it: five fields in order, access null when nil. The
// action is written as it stands. It is one object, without newline.
func AppendContext(dst []byte, c Context) []byte {
	dst = appendString(append(dst, `{"root":`...), c.Root)
	dst = appendString(append(dst, `,"action":`...), string(c.Action))
	dst = append(dst, `,"access":`...)
	if c.Access == nil {
		dst = append(dst, "null"...)
	} else {
		dst = AppendAccess(dst, *c.Access)
	}
	dst = appendString(append(dst, `,"workspace_id":`...), c.WorkspaceID)
	dst = appendString(append(dst, `,"conversation_id":`...), c.ConversationID)
	return append(dst, '}')
}
