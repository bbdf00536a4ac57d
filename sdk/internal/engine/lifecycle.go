package engine

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/jptool/jptool/sdk/internal/rpc"

	"github.com/jptool/jptool/internal/phrase"
)

// maxInitialize is the maximum size of the initialize params in bytes; sessions keep them.
const maxInitialize = 64 << 10

// open handles initialize. If the version is unsupported or has no sessions, the session uses the
// newest version with sessions. The caller holds s.mu.
func (s *Session) open(r *Request, named string) *rpc.Error {
	if named == Rounds {
		return rpc.NotFound("")
	}
	if len(r.m.Params) > maxInitialize {
		return rpc.Invalid("initialize params are longer than " + strconv.Itoa(maxInitialize) + " bytes")
	}
	params, ok := rpc.Members(r.m.Params)
	if !ok {
		return rpc.Invalid("duplicate object member name")
	}
	version, ok := rpc.Unquote(params["protocolVersion"])
	if !ok || len(version) == 0 {
		return rpc.Invalid(`"protocolVersion" must be a string, such as "` + Sessions + `"`)
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
	if s.version != "" {
		return rpc.BadRequest("the session is already open; send initialize only once")
	}
	s.version = Sessions
	if OpensSession(string(version)) {
		s.version = string(version)
	}
	if elicitation := capabilities["elicitation"]; elicitation.Kind() == '{' {
		s.elicits, s.visits = shows(json.RawMessage(elicitation))
		s.visits = s.visits && s.version >= listsSince
	}
	s.opening = json.RawMessage(slices.Clone(r.m.Params))
	r.version = s.version
	return nil
}

// initializeResult returns the result of initialize.
func (e *Engine) initializeResult(version string) rpc.Appender {
	return rpc.AppenderFunc(func(w *rpc.Writer) {
		capabilities, instructions := e.description()
		w.Begin('{')
		w.Name("capabilities").Bytes(capabilities)
		w.Member("instructions", instructions)
		w.Member("protocolVersion", version)
		w.Name("serverInfo").Bytes(e.info)
		w.End('}')
	})
}

// discoverResult returns the result of server/discover.
func (s *Session) discoverResult() rpc.Appender {
	e := s.engine
	capabilities, instructions := e.description()
	return rpc.AppenderFunc(func(w *rpc.Writer) {
		w.Begin('{').Name("resultType").String(resultComplete)
		w.Name("_meta").Begin('{').Name(rpc.KeyServerInfo).Bytes(e.info)
		w.End('}')
		w.Name("ttlMs").Raw("0")
		w.Name("cacheScope").String(s.cacheScope(false))
		w.Name("supportedVersions").Value(versions)
		w.Name("capabilities").Bytes(capabilities)
		w.Member("instructions", instructions)
		w.End('}')
	})
}

// cacheScope returns which caches may keep a result: only private ones for authenticated callers,
// and for results that depend on the client's capabilities.
func (s *Session) cacheScope(depends bool) string {
	if s.principal != "" || depends {
		return "private"
	}
	return "public"
}

// versions are the supported protocol versions, newest first.
var versions = []string{Rounds, Sessions, "2025-06-18", "2025-03-26", "2024-11-05"}

const (
	// Rounds is the version in which each request carries its client's metadata, and results
	// contain questions (MCP 2026-07-28, Versioning; multi round-trip requests).
	Rounds = "2026-07-28"
	// Sessions is the last version with sessions that are opened by initialize.
	Sessions = "2025-11-25"

	// The versions that added features (MCP, changelogs).
	audioSince        = "2025-03-26"
	structuredSince   = "2025-06-18" // structured content, output schemas and tool titles
	linkSince         = "2025-06-18"
	lastModifiedSince = "2025-06-18"
	iconsSince        = "2025-11-25"
	listsSince        = "2025-11-25" // lists and titles in forms
)

// Speaks reports whether a protocol version is supported.
func Speaks(version string) bool { return slices.Contains(versions, version) }

// OpensSession reports whether version is supported and has sessions opened by initialize.
func OpensSession(version string) bool { return version < Rounds && Speaks(version) }

// Unsupported returns the error for an unsupported protocol version.
func Unsupported(version string) *rpc.Error {
	// Marshal cannot fail: the values are strings.
	data, _ := json.Marshal(map[string]any{"supported": versions, "requested": phrase.Clip(version, rpc.MaxShown)})
	return &rpc.Error{Code: rpc.CodeUnsupportedVersion, Message: "unsupported protocol version", Data: data}
}

// Subject returns the tool name, prompt name or resource URI that a request is about. It returns
// false for other methods, and if the params lack it.
func Subject(m *rpc.Message) (subject string, ok bool) {
	switch m.Method {
	case rpc.MethodCall, rpc.MethodPrompt:
		return string(m.Name), m.Name != nil
	case rpc.MethodRead:
		text, isString := rpc.Unquote(m.URI)
		return string(text), isString
	}
	return "", false
}
