package mcpbridge

import (
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// roundsSince is the version in which a server asks by its result, and every
	// request says for itself who sends it (MCP 2026-07-28, multi round-trip
	// requests).
	roundsSince = "2026-07-28"

	resultComplete      = "complete"
	resultInputRequired = "input_required"
)

// A caller is who sent a request: what the request itself says, else what the
// session was opened with.
type caller struct {
	version string
	// rounds says that the request follows the protocol of [roundsSince].
	rounds bool
}

func callerOf(req *mcp.CallToolRequest) caller {
	c := caller{version: req.ProtocolVersion()}
	own, _ := req.Params.Meta[mcp.MetaKeyProtocolVersion].(string)
	c.rounds = own >= roundsSince
	return c
}

// elicits reports whether the sender of req declares that it can show forms.
func elicits(req *mcp.CallToolRequest) bool {
	c := req.ClientCapabilities()
	if c == nil || c.Elicitation == nil {
		return false
	}
	// Neither mode named is the form mode of versions that knew no other.
	return c.Elicitation.Form != nil || c.Elicitation.URL == nil
}

// A result is that of a call, as it goes out. go-sdk's own decides by the session
// what kind of result it is; this one knows its request.
type result struct {
	mcp.ResultBase
	body *mcp.CallToolResult
	kind string
}

// finish returns r as the result of a request of c.
func (c caller) finish(r *mcp.CallToolResult) *result {
	out := &result{body: r}
	out.SetMeta(r.GetMeta())
	if c.rounds {
		out.kind = resultComplete
		if r.InputRequests != nil {
			out.kind = resultInputRequired
		}
	}
	return out
}

// MarshalJSON returns the result with its content in any case, but in one that
// asks.
func (r *result) MarshalJSON() ([]byte, error) {
	content := r.body.Content
	if content == nil && r.kind != resultInputRequired {
		content = []mcp.Content{}
	}
	return json.Marshal(struct {
		Kind          string              `json:"resultType,omitempty"`
		Content       []mcp.Content       `json:"content,omitzero"`
		Structured    any                 `json:"structuredContent,omitempty"`
		IsError       bool                `json:"isError,omitempty"`
		InputRequests mcp.InputRequestMap `json:"inputRequests,omitempty"`
		RequestState  string              `json:"requestState,omitempty"`
		Meta          map[string]any      `json:"_meta,omitempty"`
	}{r.kind, content, r.body.StructuredContent, r.body.IsError, r.body.InputRequests, r.body.RequestState, r.GetMeta()})
}
