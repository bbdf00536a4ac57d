package jpdoc

import (
	"github.com/jptool/jptool/sdk/access"
	"github.com/jptool/jptool/sdk/jp/wire"
)

func callContext(n node, c *wire.Context) {
	n.object(func(f *fields) {
		field(f, "root", lax, &c.Root, text)
		field(f, "action", lax, &c.Action, text)
		field(f, "access", optional, &c.Access, pointer(policy))
		field(f, "workspace_id", lax, &c.WorkspaceID, text)
		field(f, "conversation_id", lax, &c.ConversationID, text)
	})
}

// AppendContext appends c as jp_tool writes it: one object without a trailing newline, with five fields in
// order. A nil Access is written as null, and the action is written unchanged.
func AppendContext(dst []byte, c wire.Context) []byte {
	dst, _ = write(dst, c, callContext)
	return dst
}

func call(n node, t *wire.Tool) {
	n.object(func(f *fields) {
		field(f, "name", lax, &t.Name, text)
		field(f, "arguments", lax, &t.Arguments, rawObject)
		field(f, "answers", lax, &t.Answers, dictionary)
		field(f, "options", lax, &t.Options, rawObject)
	})
}

// AppendTool appends t: four fields in order, answers sorted by id, nil fields as {}. Raw fields are written
// unchanged; if one is not JSON, AppendTool returns an error and dst unchanged.
func AppendTool(dst []byte, t wire.Tool) ([]byte, error) { return write(dst, t, call) }

// policy writes the access policy of a tool (jp_tool::AccessPolicy, JP RFD 076). Rules are written with all
// fields; unset fields, false and "" are written as null, which means the same to JP.
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
