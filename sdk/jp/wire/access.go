package wire

import "github.com/jptool/jptool/sdk/access"

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
