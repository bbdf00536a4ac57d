package mcpbridge

import (
	"encoding/json"

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
	// elicits says that the sender can show forms. It is asked for tools with
	// questions alone.
	elicits func() bool
	// token is the progress token, nil for none.
	token any
	// hears says that the request itself asks for what is logged.
	hears bool
	// meta returns the text of _meta, nil for none.
	meta func() ([]byte, error)
	// state and responses are what a later round brings.
	state     string
	responses mcp.InputResponseMap
}

// callFrom returns a call that came through go-sdk.
func callFrom(req *mcp.CallToolRequest) call {
	p := req.Params
	own, _ := p.Meta[mcp.MetaKeyProtocolVersion].(string)
	return call{
		session: req.Session, name: p.Name, arguments: p.Arguments,
		version: req.ProtocolVersion(), rounds: own >= roundsSince,
		elicits: func() bool {
			c := req.ClientCapabilities()
			return c != nil && showsForms(c.Elicitation)
		},
		token: p.GetProgressToken(), hears: p.Meta[mcp.MetaKeyLogLevel] != nil,
		meta: func() ([]byte, error) {
			if raw := stdio.RawMeta(req.Extra); raw != nil || len(p.Meta) == 0 {
				return raw, nil
			}
			return json.Marshal(p.Meta)
		},
		state: p.RequestState, responses: p.InputResponses,
	}
}

// callPast returns a call that the transport took past go-sdk's decoding.
func callPast(in *stdio.Call, session *mcp.ServerSession) call {
	c := call{
		session: session, name: in.Name, arguments: in.Arguments,
		version: in.Version, rounds: in.Version != "",
		meta: func() ([]byte, error) { return in.Meta, nil },
	}
	if in.ProgressToken != nil {
		c.token = in.ProgressToken
	}
	if c.rounds {
		c.elicits = func() bool {
			var e *mcp.ElicitationCapabilities
			return in.Elicitation != nil && json.Unmarshal(in.Elicitation, &e) == nil && showsForms(e)
		}
		return c
	}
	if opened := session.InitializeParams(); opened != nil {
		c.version = opened.ProtocolVersion
		c.elicits = func() bool { return opened.Capabilities != nil && showsForms(opened.Capabilities.Elicitation) }
	} else {
		c.elicits = func() bool { return false }
	}
	return c
}

// showsForms reports whether a client declares forms. Neither mode named is the form
// mode of versions that knew no other.
func showsForms(e *mcp.ElicitationCapabilities) bool {
	return e != nil && (e.Form != nil || e.URL == nil)
}
