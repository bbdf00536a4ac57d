package gosdk

import (
	"encoding/json"
	"maps"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/jptool/jptool/sdk/internal/engine"
)

// paramsOf returns the params of a request. It removes the parts of _meta that go-sdk cannot
// decode, because go-sdk would refuse the request for them. For a call to a contract tool, it
// returns only what middleware uses, because the engine has read the rest.
func paramsOf(in *engine.ExtraCall) json.RawMessage {
	if in.Params == nil {
		// Without params, go-sdk would report an invalid request, even for methods it does not
		// know.
		return json.RawMessage("{}")
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(in.Params, &members) != nil {
		return in.Params
	}
	if in.Tool != nil {
		maps.DeleteFunc(members, func(name string, _ json.RawMessage) bool {
			return name != "name" && name != "arguments" && name != "_meta"
		})
	}
	if members["_meta"] != nil {
		members["_meta"] = metaOf(members["_meta"])
	}
	params, err := json.Marshal(members)
	if err != nil {
		return in.Params
	}
	return params
}

// metaOf returns _meta without the members that go-sdk cannot decode.
func metaOf(text json.RawMessage) json.RawMessage {
	var meta map[string]json.RawMessage
	if json.Unmarshal(text, &meta) != nil {
		return json.RawMessage("{}")
	}
	_, capable := meta[mcp.MetaKeyClientCapabilities]
	maps.DeleteFunc(meta, func(name string, value json.RawMessage) bool { return !decodes(name, value) })
	if capable && meta[mcp.MetaKeyClientCapabilities] == nil {
		meta[mcp.MetaKeyClientCapabilities] = json.RawMessage("{}")
	}
	cleaned, err := json.Marshal(meta)
	if err != nil {
		return json.RawMessage("{}")
	}
	return cleaned
}

// decodes reports whether go-sdk can decode a member of _meta.
func decodes(name string, value json.RawMessage) bool {
	var into any
	switch name {
	case "progressToken":
		if into = new(int64); value[0] == '"' {
			into = new(string)
		}
	case mcp.MetaKeyClientInfo:
		into = new(mcp.Implementation)
	case mcp.MetaKeyClientCapabilities:
		into = new(mcp.ClientCapabilities)
	default:
		return json.Unmarshal(value, new(any)) == nil
	}
	return string(value) != "null" && json.Unmarshal(value, new(any)) == nil && json.Unmarshal(value, into) == nil
}
