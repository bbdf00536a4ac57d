package engine

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
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
	return appendHeaderParams(nil, nil, jsontext.Value(schema))
}

func appendHeaderParams(list []HeaderParam, path []string, schema jsontext.Value) []HeaderParam {
	object, _ := members(schema) // a schema may be a boolean
	if header, _ := unquoted(object["x-mcp-header"]); len(header) > 0 {
		list = append(list, HeaderParam{path, string(header)})
	}
	properties, _ := members(object["properties"])
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		list = appendHeaderParams(list, append(slices.Clone(path), name), properties[name])
	}
	return list
}
