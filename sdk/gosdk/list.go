package gosdk

import (
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// withContract returns a list that begins with the tools of the contract, so that the program's middleware sees them.
func (c *call) withContract(list *mcp.ListToolsResult) *mcp.ListToolsResult {
	all := *list
	all.Tools = make([]*mcp.Tool, 0, len(c.in.Tools)+len(list.Tools))
	c.listed = map[string]json.RawMessage{}
	for _, entry := range c.in.Tools {
		t := new(mcp.Tool)
		if json.Unmarshal(entry, t) != nil {
			continue // the engine writes valid entries
		}
		text, err := json.Marshal(t)
		if err != nil {
			continue
		}
		c.listed[string(text)] = entry
		all.Tools = append(all.Tools, t)
	}
	all.Tools = append(all.Tools, list.Tools...)
	return &all
}

// originals encodes a list. Entries of the contract that the middleware has not changed keep their text, because
// go-sdk's types do not preserve the order of members and large numbers.
func (c *call) originals(list *mcp.ListToolsResult) (mcp.Result, error) {
	if c.listed == nil {
		return list, nil
	}
	tools := []json.RawMessage{}
	for _, t := range list.Tools {
		text, err := json.Marshal(t)
		if err != nil {
			return nil, internal("internal error: the result cannot be encoded")
		}
		if entry, ok := c.listed[string(text)]; ok {
			text = entry
		}
		tools = append(tools, text)
	}
	text, err := json.Marshal(struct {
		Tools      []json.RawMessage `json:"tools"`
		NextCursor string            `json:"nextCursor,omitempty"`
	}{tools, list.NextCursor})
	if err != nil {
		return nil, internal("internal error: the result cannot be encoded")
	}
	return &encodedResult{text: text}, nil
}
