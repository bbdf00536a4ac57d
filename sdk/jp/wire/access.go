package wire

// AccessPolicy is what the user grants a tool (jp_tool::AccessPolicy, JP RFD 076). An empty FS
// list leaves the file system unrestricted. JP evaluates FS rules alone.
type AccessPolicy struct {
	FS  []FSRule
	Net []NetRule
	Env []EnvRule
}

// FSRule grants capabilities below one path. Of two rules with equally long paths the later one
// replaces the earlier entirely. Nil flags are unset: Create, Update and Delete fall back to
// Write, the others to false.
type FSRule struct {
	// LexicalPath is relative to the workspace; "" and "." are its root.
	LexicalPath string
	// External says that the path leads out of the workspace, to ApprovedTarget.
	External bool
	// ApprovedTarget is the real path that the user agreed to; nil when there is none.
	ApprovedTarget *string

	Read, Write, Create, Update, Delete, Execute *bool
}

// NetRule allows or denies connections to a host. Nil narrows nothing.
type NetRule struct {
	Host       string
	Scheme     *string
	Port       *uint16
	PathPrefix *string
	Allow      bool
}

// EnvRule lets an environment variable be read; the name may end in "*".
type EnvRule struct {
	Name string
	Read bool
}

// AppendAccess appends p as jp_tool writes it: every field of every rule, nil ones as null.
func AppendAccess(dst []byte, p AccessPolicy) []byte {
	dst = appendList(append(dst, `{"fs":`...), p.FS, appendFSRule)
	dst = appendList(append(dst, `,"net":`...), p.Net, appendNetRule)
	dst = appendList(append(dst, `,"env":`...), p.Env, appendEnvRule)
	return append(dst, '}')
}

func appendFSRule(dst []byte, rule FSRule) []byte {
	dst = appendString(append(dst, `{"lexical_path":`...), rule.LexicalPath)
	dst = appendBool(append(dst, `,"external":`...), rule.External)
	dst = appendOpt(append(dst, `,"approved_target":`...), rule.ApprovedTarget, appendString)
	dst = appendOpt(append(dst, `,"read":`...), rule.Read, appendBool)
	dst = appendOpt(append(dst, `,"write":`...), rule.Write, appendBool)
	dst = appendOpt(append(dst, `,"create":`...), rule.Create, appendBool)
	dst = appendOpt(append(dst, `,"update":`...), rule.Update, appendBool)
	dst = appendOpt(append(dst, `,"delete":`...), rule.Delete, appendBool)
	dst = appendOpt(append(dst, `,"execute":`...), rule.Execute, appendBool)
	return append(dst, '}')
}

func appendNetRule(dst []byte, rule NetRule) []byte {
	dst = appendString(append(dst, `{"host":`...), rule.Host)
	dst = appendOpt(append(dst, `,"scheme":`...), rule.Scheme, appendString)
	dst = appendOpt(append(dst, `,"port":`...), rule.Port, appendUint16)
	dst = appendOpt(append(dst, `,"path_prefix":`...), rule.PathPrefix, appendString)
	dst = appendBool(append(dst, `,"allow":`...), rule.Allow)
	return append(dst, '}')
}

func appendEnvRule(dst []byte, rule EnvRule) []byte {
	dst = appendString(append(dst, `{"name":`...), rule.Name)
	dst = appendBool(append(dst, `,"read":`...), rule.Read)
	return append(dst, '}')
}
