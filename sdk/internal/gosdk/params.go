package gosdk

import (
	"encoding/json"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/jptool/jptool/internal/rawjson"
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
	members := rawjson.Parts(jsontext.Value(in.Params))
	if in.Tool != nil {
		members = slices.DeleteFunc(members, func(m rawjson.Member) bool {
			return m.Name != "name" && m.Name != "arguments" && m.Name != "_meta"
		})
	}
	for i, m := range members {
		if m.Name == "_meta" {
			members[i].Value = metaOf(m.Value)
		}
	}
	return json.RawMessage(rawjson.Object(members))
}

// metaOf returns _meta without the members that go-sdk cannot decode. Client capabilities, which go-sdk
// requires, become empty.
func metaOf(meta jsontext.Value) jsontext.Value {
	members := rawjson.Parts(meta)
	for i, m := range members {
		if m.Name == mcp.MetaKeyClientCapabilities && !decodes(m.Name, m.Value) {
			members[i].Value = jsontext.Value("{}")
		}
	}
	return rawjson.Object(slices.DeleteFunc(members, func(m rawjson.Member) bool { return !decodes(m.Name, m.Value) }))
}

// decodes reports whether go-sdk can decode a member of _meta.
func decodes(name string, value jsontext.Value) bool {
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
