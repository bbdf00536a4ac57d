package engine

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/rawjson"
	"github.com/jptool/jptool/sdk/internal/engine/wires"
	"github.com/jptool/jptool/sdk/internal/rpc"
)

// maxInitialize is the maximum size of the initialize params in bytes; sessions keep them.
const maxInitialize = 64 << 10

// open handles initialize. If the version is unsupported or has no sessions, the session uses the
// newest version with sessions. The caller holds s.mu.
func (s *Session) open(r *Request) *rpc.Error {
	if len(r.Message.Params) > maxInitialize {
		return rpc.Invalid("initialize params are longer than " + strconv.Itoa(maxInitialize) + " bytes")
	}
	params, ok := rpc.Members(r.Message.Params)
	if !ok {
		return rpc.Invalid("duplicate object member name")
	}
	version, ok := rpc.Unquote(params["protocolVersion"])
	if !ok || len(version) == 0 {
		return rpc.Invalid(`"protocolVersion" must be a string, such as "` + wires.Sessions + `"`)
	}
	capabilities, ok := rpc.Members(params["capabilities"])
	if !ok {
		return rpc.Invalid(`"capabilities" must be an object`)
	}
	for _, name := range []string{"elicitation", "sampling", "roots", "experimental", "extensions"} {
		if value := capabilities[name]; !rpc.IsNull(value) && value.Kind() != '{' {
			return rpc.Invalid(`each capability in "capabilities" must be an object`)
		}
	}
	client, ok := rpc.Members(params["clientInfo"])
	for _, name := range []string{"name", "version"} {
		ok = ok && (rpc.IsNull(client[name]) || client[name].Kind() == '"')
	}
	if !ok && !rpc.IsNull(params["clientInfo"]) {
		return rpc.Invalid(`"clientInfo" must be an object with "name" and "version"`)
	}
	if s.client.Version != "" {
		return rpc.BadRequest("the session is already open; send initialize only once")
	}
	s.client.Version = wires.Sessions
	if wires.OpensSession(string(version)) {
		s.client.Version = string(version)
	}
	if elicitation := capabilities["elicitation"]; elicitation.Kind() == '{' {
		s.client.Elicits, s.client.Visits = shows(json.RawMessage(elicitation))
		s.client.Visits = s.client.Visits && s.client.Has(wires.Lists)
	}
	s.opening = json.RawMessage(slices.Clone(r.Message.Params))
	r.Version = s.client.Version
	return nil
}

// initialize returns the description of the server.
func (r *Request) initialize() {
	e := r.session.engine
	r.result(rpc.AppenderFunc(func(w *rpc.Writer) {
		capabilities, instructions := e.description(r.caller)
		w.Begin('{')
		w.Name("capabilities").Bytes(capabilities)
		w.Member("instructions", instructions)
		w.Member("protocolVersion", r.Version)
		w.Name("serverInfo").Bytes(e.wires.Info)
		w.End('}')
	}))
}

// discover returns the description of the server, with the versions that it supports.
func (r *Request) discover() {
	e := r.session.engine
	capabilities, instructions := e.description(r.caller)
	if len(e.Contract.Skills) > 0 {
		capabilities = withExtension(capabilities, "io.modelcontextprotocol/skills", `{"directoryRead":true}`)
	}
	if e.board != nil {
		capabilities = withExtension(capabilities, rpc.ExtensionTasks, "{}")
	}
	r.result(rpc.AppenderFunc(func(w *rpc.Writer) {
		r.Open(w, wires.Complete)
		r.Meta(w, e.wires.Info, nil)
		w.Name("ttlMs").Raw("0")
		w.Name("cacheScope").String(r.cacheScope(false))
		w.Name("supportedVersions").Value(wires.Versions)
		w.Name("capabilities").Bytes(capabilities)
		w.Member("instructions", instructions)
		w.End('}')
	}))
}

// withExtension returns capabilities with an extension.
func withExtension(capabilities json.RawMessage, name, settings string) json.RawMessage {
	members := rawjson.Parts(jsontext.Value(capabilities))
	i := slices.IndexFunc(members, func(m rawjson.Member) bool { return m.Name == "extensions" })
	if i < 0 {
		i, members = len(members), append(members, rawjson.Member{Name: "extensions", Value: jsontext.Value("{}")})
	}
	extensions := append(rawjson.Parts(members[i].Value), rawjson.Member{Name: name, Value: jsontext.Value(settings)})
	members[i].Value = rawjson.Object(extensions)
	return json.RawMessage(rawjson.Object(members))
}

// cacheScope returns which caches may keep a result: only private ones for authenticated callers, for callers
// that select a face, and for results that depend on the client's capabilities.
func (r *Request) cacheScope(depends bool) string {
	if r.caller.Subject != "" || !r.caller.Face.IsWhole() || depends {
		return "private"
	}
	return "public"
}
