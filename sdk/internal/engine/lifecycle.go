package engine

import (
	"encoding/json"
	"slices"

	jsonv2 "github.com/go-json-experiment/json"
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
		return invalid(sprintf("initialize params are longer than %d bytes", mostOpening))
	}
	var p struct {
		Version      jsontext.Value `json:"protocolVersion"`
		Capabilities jsontext.Value `json:"capabilities"`
		ClientInfo   jsontext.Value `json:"clientInfo"`
	}
	if r.m.Params != nil && jsonv2.Unmarshal(r.m.Params, &p) != nil {
		return invalid("duplicate object member name")
	}
	version, ok := unquoted(p.Version)
	if !ok || len(version) == 0 {
		return invalid(`"protocolVersion" must be a string, such as "` + Sessions + `"`)
	}
	var capabilities map[string]jsontext.Value
	if p.Capabilities != nil && (p.Capabilities.Kind() != '{' || jsonv2.Unmarshal(p.Capabilities, &capabilities) != nil) {
		return invalid(`"capabilities" must be an object`)
	}
	for _, name := range []string{"elicitation", "sampling", "roots", "experimental", "extensions"} {
		if k := capabilities[name].Kind(); k != 0 && k != 'n' && k != '{' {
			return invalid(`each capability in "capabilities" must be an object`)
		}
	}
	var client struct{ Name, Version string }
	if k := p.ClientInfo.Kind(); k != 0 && k != 'n' && (k != '{' || json.Unmarshal(p.ClientInfo, &client) != nil) {
		return invalid(`"clientInfo" must be an object with "name" and "version"`)
	}
	if s.version != "" {
		return BadRequest("the session has been opened before")
	}
	// Requests that were sent before initialize keep their extras session.
	s.former, s.extra = s.extra, nil
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

// opened is the result of initialize.
type opened struct {
	engine  *Engine
	version string
}

// AppendTo appends the result.
func (o opened) AppendTo(w *Writer) {
	w.Begin('{')
	w.Name("capabilities")
	w.Bytes(o.engine.capabilities())
	o.engine.instructed(w)
	w.Name("protocolVersion")
	w.String(o.version)
	w.Name("serverInfo")
	w.Bytes(o.engine.info)
	w.End('}')
}

// discovered is the result of server/discover.
type discovered struct{ session *Session }

// AppendTo appends the result.
func (d discovered) AppendTo(w *Writer) {
	w.Begin('{')
	w.Name("resultType")
	w.String(resultComplete)
	e := d.session.engine
	e.introduce(w)
	d.session.cached(w, false)
	w.Name("supportedVersions")
	w.Value(versions)
	w.Name("capabilities")
	w.Bytes(e.capabilities())
	e.instructed(w)
	w.End('}')
}

// instructed appends the instructions, if any.
func (e *Engine) instructed(w *Writer) {
	if e.Instructions != "" {
		w.Name("instructions")
		w.String(e.Instructions)
	}
}

// introduce appends the _meta with the server's name and version.
func (e *Engine) introduce(w *Writer) {
	w.Name("_meta")
	w.Begin('{')
	w.Name(keyServerInfo)
	w.Bytes(e.info)
	w.End('}')
}

// cached appends how long and for whom a result may be cached. Results for an authenticated
// caller are private, and so are results that depend on what the client can do.
func (s *Session) cached(w *Writer, depends bool) {
	w.Name("ttlMs")
	w.Raw("0")
	w.Name("cacheScope")
	if s.principal != "" || depends {
		w.Raw(`"private"`)
	} else {
		w.Raw(`"public"`)
	}
}

// setLevel handles logging/setLevel. The caller holds s.mu.
func (s *Session) setLevel(m *Message) *Error {
	var p struct {
		Level jsontext.Value `json:"level"`
	}
	if jsonv2.Unmarshal(m.Params, &p) == nil {
		if level, ok := levelNamed(p.Level); ok {
			if !s.alone {
				s.level = &level
			}
			return nil
		}
	}
	return invalid(`"level" must be ` + levelNames())
}
