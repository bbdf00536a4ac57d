package engine

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/jptool/jptool/internal/phrase"
)

// maxInitialize is the maximum size of the initialize params in bytes; sessions keep them.
const maxInitialize = 64 << 10

// open handles initialize. If the version is unsupported or has no sessions, the session uses the
// newest version with sessions. The caller holds s.mu.
func (s *Session) open(r *Request, named string) *Error {
	if named == Rounds {
		return notFound("")
	}
	if len(r.m.Params) > maxInitialize {
		return invalid("initialize params are longer than " + strconv.Itoa(maxInitialize) + " bytes")
	}
	params, ok := members(r.m.Params)
	if !ok {
		return invalid("duplicate object member name")
	}
	version, ok := unquote(params["protocolVersion"])
	if !ok || len(version) == 0 {
		return invalid(`"protocolVersion" must be a string, such as "` + Sessions + `"`)
	}
	capabilities, ok := members(params["capabilities"])
	if !ok {
		return invalid(`"capabilities" must be an object`)
	}
	for _, name := range []string{"elicitation", "sampling", "roots", "experimental", "extensions"} {
		if value := capabilities[name]; !isNull(value) && value.Kind() != '{' {
			return invalid(`each capability in "capabilities" must be an object`)
		}
	}
	client, ok := members(params["clientInfo"])
	for _, name := range []string{"name", "version"} {
		ok = ok && (isNull(client[name]) || client[name].Kind() == '"')
	}
	if !ok && !isNull(params["clientInfo"]) {
		return invalid(`"clientInfo" must be an object with "name" and "version"`)
	}
	if s.version != "" {
		return BadRequest("the session is already open; send initialize only once")
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
func (e *Engine) initializeResult(version string) Appender {
	return appenderFunc(func(w *Writer) {
		capabilities, instructions := e.description()
		w.Begin('{')
		w.Name("capabilities").Bytes(capabilities)
		member(w, "instructions", instructions)
		member(w, "protocolVersion", version)
		w.Name("serverInfo").Bytes(e.info)
		w.End('}')
	})
}

// discoverResult returns the result of server/discover.
func (s *Session) discoverResult() Appender {
	e := s.engine
	capabilities, instructions := e.description()
	return appenderFunc(func(w *Writer) {
		w.Begin('{').Name("resultType").String(resultComplete)
		w.Name("_meta").Begin('{').Name(keyServerInfo).Bytes(e.info)
		w.End('}')
		w.Name("ttlMs").Raw("0")
		w.Name("cacheScope").String(s.cacheScope(false))
		w.Name("supportedVersions").Value(versions)
		w.Name("capabilities").Bytes(capabilities)
		member(w, "instructions", instructions)
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
func Unsupported(version string) *Error {
	// Marshal cannot fail: the values are strings.
	data, _ := json.Marshal(map[string]any{"supported": versions, "requested": phrase.Clip(version, maxShown)})
	return &Error{Code: CodeUnsupportedVersion, Message: "unsupported protocol version", Data: data}
}

// Methods that the engine knows.
const (
	methodInitialize = "initialize"
	methodPing       = "ping"
	methodDiscover   = "server/discover"
	methodLevel      = "logging/setLevel"
	methodList       = "tools/list"
	methodCall       = "tools/call"
	methodListen     = "subscriptions/listen"
	methodPrompt     = "prompts/get"
	methodRead       = "resources/read"
	methodElicit     = "elicitation/create"

	noteInitialized = "notifications/initialized"
	noteCancelled   = "notifications/cancelled"
	noteVisited     = "notifications/elicitation/complete"
	noteProgress    = "notifications/progress"
	noteSubscribed  = "notifications/subscriptions/acknowledged"
	noteMessage     = "notifications/message"
)

// methodName returns a method name without copying common ones.
func methodName(name []byte) string {
	for _, common := range [...]string{methodCall, methodList, noteCancelled, noteInitialized} {
		if string(name) == common {
			return common
		}
	}
	return string(name)
}
