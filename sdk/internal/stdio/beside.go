package stdio

import (
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A beside is what stands beside a request on its way through go-sdk, and comes
// back with its answer.
type beside struct {
	meta   []byte
	token  json.RawMessage
	result [][]byte
}

const besideKey = "jptool/beside"

// extra returns b as go-sdk carries it: token information is what it lets a
// transport attach to a request that no client can forge.
func (b *beside) extra() *mcp.RequestExtra {
	return &mcp.RequestExtra{TokenInfo: &auth.TokenInfo{Extra: map[string]any{besideKey: b}}}
}

func besideOf(extra any) *beside {
	e, ok := extra.(*mcp.RequestExtra)
	if !ok || e == nil || e.TokenInfo == nil {
		return nil
	}
	b, _ := e.TokenInfo.Extra[besideKey].(*beside)
	return b
}

// RawMeta returns the text of the _meta of a request's params as it came over
// this transport, and nil for a request that came another way. go-sdk decodes
// _meta with every number rounded to a float64.
func RawMeta(extra *mcp.RequestExtra) []byte {
	if b := besideOf(extra); b != nil {
		return b.meta
	}
	return nil
}

// ProgressToken returns the text of the progress token of a request that came over this
// transport, nil for none and for a request that came another way. go-sdk decodes one
// that is a number to a float64.
func ProgressToken(extra *mcp.RequestExtra) json.RawMessage {
	if b := besideOf(extra); b != nil {
		return b.token
	}
	return nil
}

// HandOver gives the transport the pieces of a result, which goes out instead of what
// go-sdk is returned: it would be read and copied there several times. It reports
// whether the request came over this transport; otherwise nothing has happened.
// Together they must be one JSON object on one line, and they must not change.
func HandOver(extra *mcp.RequestExtra, result [][]byte) bool {
	b := besideOf(extra)
	if b != nil {
		b.result = result
	}
	return b != nil
}
