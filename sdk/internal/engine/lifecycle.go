package engine

import (
	"encoding/json"
	"slices"
	"strconv"

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
		return invalid("initialize params are longer than " + strconv.Itoa(mostOpening) + " bytes")
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

// opened returns the result of initialize.
func (e *Engine) opened(version string) Appender {
	return encoded(struct {
		Capabilities json.RawMessage `json:"capabilities"`
		Instructions string          `json:"instructions,omitempty"`
		Version      string          `json:"protocolVersion"`
		Info         json.RawMessage `json:"serverInfo"`
	}{e.capabilities(), e.Instructions, version, e.info})
}

// discovered returns the result of server/discover.
func (s *Session) discovered() Appender {
	e := s.engine
	return encoded(struct {
		Type         string                     `json:"resultType"`
		Meta         map[string]json.RawMessage `json:"_meta"`
		Lifetime     int                        `json:"ttlMs"`
		Scope        string                     `json:"cacheScope"`
		Versions     []string                   `json:"supportedVersions"`
		Capabilities json.RawMessage            `json:"capabilities"`
		Instructions string                     `json:"instructions,omitempty"`
	}{
		resultComplete, map[string]json.RawMessage{keyServerInfo: e.info}, 0, s.cacheScope(false), versions, e.capabilities(), e.Instructions,
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
	var p struct {
		Level jsontext.Value `json:"level"`
	}
	if jsonv2.Unmarshal(m.Params, &p) == nil {
		if level := levelNamed(p.Level); level != nil {
			if !s.alone {
				s.level = level
			}
			return nil
		}
	}
	return invalid(`"level" must be ` + levelNames())
}
