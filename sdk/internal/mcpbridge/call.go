package mcpbridge

import (
	"encoding/json"
	"math"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/jptool/jptool/sdk/internal/stdio"
)

// roundsSince is the version in which a server asks by its result, and every
// request says for itself who sends it (MCP 2026-07-28, multi round-trip requests).
const roundsSince = "2026-07-28"

// A call is a tools/call, whichever way it came: what the request itself says, else
// what its session was opened with.
type call struct {
	session   *mcp.ServerSession
	name      string
	arguments json.RawMessage
	// version is that of the protocol; rounds says that it is one in which results
	// ask.
	version string
	rounds  bool
	// token is the progress token, nil for none.
	token any
	// hears says that the request itself asks for what is logged.
	hears bool
	// state and responses are what a later round brings.
	state     string
	responses mcp.InputResponseMap

	// One of both is nil.
	through *mcp.CallToolRequest // the request, if it came through go-sdk
	past    *stdio.Call          // what the transport read, if it answers the call
}

// callFrom returns a call that came through go-sdk.
func callFrom(req *mcp.CallToolRequest) call {
	p := req.Params
	own, _ := p.Meta[mcp.MetaKeyProtocolVersion].(string)
	return call{
		session: req.Session, name: p.Name, arguments: p.Arguments,
		version: req.ProtocolVersion(), rounds: own >= roundsSince,
		token: tokenOf(req), hears: hears(p.Meta),
		state: p.RequestState, responses: p.InputResponses, through: req,
	}
}

// tokenOf returns the progress token of a request, nil for none and for what is neither a
// string nor an integer.
func tokenOf(req *mcp.CallToolRequest) any {
	if raw := stdio.ProgressToken(req.Extra); raw != nil {
		return raw
	}
	switch token := req.Params.GetProgressToken().(type) {
	case string:
		return token
	case float64:
		if token == math.Trunc(token) {
			return token
		}
	}
	return nil
}

// callPast returns a call of e that the transport took past go-sdk.
func callPast(in *stdio.Call, e Entry, session *mcp.ServerSession) call {
	name := e.Contract.Name
	if e.old != nil {
		name = e.old.Name
	}
	c := call{
		session: session, name: name, arguments: in.Arguments,
		version: in.Version, rounds: in.Version != "", past: in,
	}
	if in.ProgressToken != nil {
		c.token = in.ProgressToken
	}
	if !c.rounds {
		if opened := session.InitializeParams(); opened != nil {
			c.version = opened.ProtocolVersion
		}
	}
	return c
}

// elicits reports whether the sender can show forms.
func (c *call) elicits() bool {
	switch {
	case c.through != nil:
		declared := c.through.ClientCapabilities()
		return declared != nil && showsForms(declared.Elicitation)
	case c.rounds:
		var e *mcp.ElicitationCapabilities
		return c.past.Elicitation != nil && json.Unmarshal(c.past.Elicitation, &e) == nil && showsForms(e)
	}
	opened := c.session.InitializeParams()
	return opened != nil && opened.Capabilities != nil && showsForms(opened.Capabilities.Elicitation)
}

// meta returns the text of _meta, nil for none, exactly as it came where the
// transport kept it.
func (c *call) meta() ([]byte, error) {
	if c.past != nil {
		return c.past.Meta, nil
	}
	if raw := stdio.RawMeta(c.through.Extra); raw != nil || len(c.through.Params.Meta) == 0 {
		return raw, nil
	}
	return json.Marshal(c.through.Params.Meta)
}

// showsForms reports whether a client declares forms. Neither mode named is the form
// mode of versions that knew no other.
func showsForms(e *mcp.ElicitationCapabilities) bool {
	return e != nil && (e.Form != nil || e.URL == nil)
}
