package gosdk

import (
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// emptyList returns an empty result of a list.
func emptyList(method string) mcp.Result {
	switch method {
	case "prompts/list":
		return &mcp.ListPromptsResult{}
	case "resources/list":
		return &mcp.ListResourcesResult{}
	case "resources/templates/list":
		return &mcp.ListResourceTemplatesResult{}
	}
	return &mcp.ListToolsResult{}
}

// withContract returns a list that begins with the entries of the contract, so that the program's middleware sees them.
func (c *call) withContract(list mcp.Result) mcp.Result {
	c.listed = map[string]json.RawMessage{}
	switch list := list.(type) {
	case *mcp.ListToolsResult:
		all := *list
		all.Tools = prepended(c, list.Tools)
		return &all
	case *mcp.ListPromptsResult:
		all := *list
		all.Prompts = prepended(c, list.Prompts)
		return &all
	case *mcp.ListResourcesResult:
		all := *list
		all.Resources = prepended(c, list.Resources)
		return &all
	case *mcp.ListResourceTemplatesResult:
		all := *list
		all.ResourceTemplates = prepended(c, list.ResourceTemplates)
		return &all
	}
	return list
}

func prepended[T any](c *call, list []*T) []*T {
	all := make([]*T, 0, len(c.in.Entries)+len(list))
	for _, entry := range c.in.Entries {
		t := new(T)
		if json.Unmarshal(entry, t) != nil {
			continue // the engine writes valid entries
		}
		text, err := json.Marshal(t)
		if err != nil {
			continue
		}
		c.listed[string(text)] = entry
		all = append(all, t)
	}
	return append(all, list...)
}

// originals encodes a list. Entries of the contract that the middleware has not changed keep their text, because
// go-sdk's types do not preserve the order of members and large numbers.
func (c *call) originals(result mcp.Result) (mcp.Result, error) {
	if c.listed == nil {
		return result, nil
	}
	switch list := result.(type) {
	case *mcp.ListToolsResult:
		return encoded(c, "tools", list.Tools, list.NextCursor)
	case *mcp.ListPromptsResult:
		return encoded(c, "prompts", list.Prompts, list.NextCursor)
	case *mcp.ListResourcesResult:
		return encoded(c, "resources", list.Resources, list.NextCursor)
	case *mcp.ListResourceTemplatesResult:
		return encoded(c, "resourceTemplates", list.ResourceTemplates, list.NextCursor)
	}
	return result, nil
}

func encoded[T any](c *call, name string, list []*T, cursor string) (mcp.Result, error) {
	entries := []json.RawMessage{}
	for _, t := range list {
		text, err := json.Marshal(t)
		if err != nil {
			return nil, internal("internal error: the result cannot be encoded")
		}
		if entry, ok := c.listed[string(text)]; ok {
			text = entry
		}
		entries = append(entries, text)
	}
	members := map[string]any{name: entries}
	if cursor != "" {
		members["nextCursor"] = cursor
	}
	text, err := json.Marshal(members)
	if err != nil {
		return nil, internal("internal error: the result cannot be encoded")
	}
	return &encodedResult{text: text}, nil
}
