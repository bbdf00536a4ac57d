package engine

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// mostOpening is the maximum size of the initialize params in bytes; sessions keep them.
const mostOpening = 64 << 10

// open handles initialize. If the requested version is not supported or has no sessions, the
// session uses the newest version that has them. The caller holds s.mu.
func (s *Session) open(r *Request, named string) *Error {
	if named == Rounds {
		return notFound("")
	}
	if len(r.m.Params) > mostOpening {
		return invalid("initialize params are longer than " + strconv.Itoa(mostOpening) + " bytes")
	}
	params, ok := members(r.m.Params)
	if !ok {
		return invalid("duplicate object member name")
	}
	version, ok := unquoted(params["protocolVersion"])
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
	if !isClientInfo(params["clientInfo"]) {
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

// isClientInfo reports whether a value can describe a client. It may be missing or null.
func isClientInfo(info jsontext.Value) bool {
	client, ok := members(info)
	for _, value := range []jsontext.Value{client["name"], client["version"]} {
		ok = ok && (isNull(value) || value.Kind() == '"')
	}
	return ok || isNull(info)
}

// opened returns the result of initialize.
func (e *Engine) opened(version string) Appender {
	return appenderFunc(func(w *Writer) {
		w.Begin('{')
		w.Name("capabilities").Bytes(e.capabilities())
		member(w, "instructions", e.Instructions)
		member(w, "protocolVersion", version)
		w.Name("serverInfo").Bytes(e.info)
		w.End('}')
	})
}

// discovered returns the result of server/discover.
func (s *Session) discovered() Appender {
	e := s.engine
	capabilities := e.capabilities()
	return appenderFunc(func(w *Writer) {
		w.Begin('{').Name("resultType").String(resultComplete)
		w.Name("_meta").Begin('{').Name(keyServerInfo).Bytes(e.info)
		w.End('}')
		w.Name("ttlMs").Raw("0")
		w.Name("cacheScope").String(s.cacheScope(false))
		w.Name("supportedVersions").Value(versions)
		w.Name("capabilities").Bytes(capabilities)
		member(w, "instructions", e.Instructions)
		w.End('}')
	})
}

// cacheScope returns which caches may keep a result. Results for an authenticated caller are
// private, and so are results that depend on what the client can do.
func (s *Session) cacheScope(depends bool) string {
	if s.principal != "" || depends {
		return "private"
	}
	return "public"
}

// setLevel handles logging/setLevel. The caller holds s.mu.
func (s *Session) setLevel(m *Message) *Error {
	params, _ := members(m.Params)
	level := levelNamed(params["level"])
	if level == nil {
		return invalid(`"level" must be ` + levelNames())
	}
	if !s.alone {
		s.level = level
	}
	return nil
}
