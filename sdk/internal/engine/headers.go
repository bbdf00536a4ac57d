package engine

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"slices"

	jsonv2 "github.com/go-json-experiment/json"
)

// A HeaderParam is a tool argument that HTTP requests repeat in a header, so that proxies can
// route requests without parsing them (MCP 2026-07-28, Streamable HTTP, custom headers from
// tool parameters).
type HeaderParam struct {
	// Path locates the argument; Header is the part of the name after "Mcp-Param-".
	Path   []string
	Header string
}

// HeaderParams returns the arguments of a tool that headers repeat.
func (e *Engine) HeaderParams(ctx context.Context, tool string) []HeaderParam {
	if t, ok := e.tools[tool]; ok {
		return t.headers
	}
	if !e.Extended() {
		return nil
	}
	for _, other := range e.Extras.Tools(ctx) {
		if other.Name == tool {
			return headerParams(other.Input)
		}
	}
	return nil
}

func headerParams(schema json.RawMessage) []HeaderParam {
	if !bytes.Contains(schema, []byte("x-mcp-header")) {
		return nil
	}
	return appendHeaderParams(nil, nil, schema)
}

func appendHeaderParams(list []HeaderParam, path []string, schema json.RawMessage) []HeaderParam {
	var object struct {
		Header     json.RawMessage            `json:"x-mcp-header"`
		Properties map[string]json.RawMessage `json:"properties"`
	}
	if jsonv2.Unmarshal(schema, &object) != nil { // a schema may be a boolean
		return list
	}
	if header := ""; json.Unmarshal(object.Header, &header) == nil && header != "" {
		list = append(list, HeaderParam{path, header})
	}
	for _, name := range slices.Sorted(maps.Keys(object.Properties)) {
		list = appendHeaderParams(list, append(slices.Clone(path), name), object.Properties[name])
	}
	return list
}
