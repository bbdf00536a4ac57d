package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
)

// maxPages bounds a list of tools; a server that pages without end is refused.
const maxPages = 1000

// ToolInfo is a tool as a server lists it (MCP 2025-11-25, Tools). Nil fields were not given.
type ToolInfo struct {
	Name         string
	Title        string
	Description  string
	InputSchema  json.RawMessage // a JSON object
	OutputSchema json.RawMessage
	Annotations  json.RawMessage
	Meta         json.RawMessage
}

// Tools returns all tools of the server, from all pages, in its order. One tool that is not well
// formed makes the whole list an error, as it does for JP.
func (h *Host) Tools(ctx context.Context) ([]ToolInfo, error) {
	var all []ToolInfo
	var cursor *string
	for range maxPages {
		page, err := h.toolsPage(ctx, cursor)
		if err != nil {
			return nil, fmt.Errorf("tools/list: %w", err)
		}
		for _, tool := range readArray(page["tools"]) {
			all = append(all, readTool(tool))
		}
		if !isString(page["nextCursor"]) {
			return all, nil
		}
		next := readString(page["nextCursor"])
		cursor = &next
	}
	return nil, fmt.Errorf("tools/list: more than %d pages", maxPages)
}

func readTool(raw json.RawMessage) ToolInfo {
	fields, _ := readObject(raw)
	return ToolInfo{
		Name:         readString(fields["name"]),
		Title:        readString(fields["title"]),
		Description:  readString(fields["description"]),
		InputSchema:  fields["inputSchema"],
		OutputSchema: orNil(fields["outputSchema"]),
		Annotations:  orNil(fields["annotations"]),
		Meta:         orNil(fields["_meta"]),
	}
}

func orNil(raw json.RawMessage) json.RawMessage {
	if isNull(raw) {
		return nil
	}
	return raw
}

func (h *Host) toolsPage(ctx context.Context, cursor *string) (map[string]json.RawMessage, error) {
	m, err := h.conn.request(ctx, func(id int64) ([]byte, error) {
		line := fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"method":"tools/list","params":{"_meta":{"progressToken":%d}`,
			id, progressToken(id))
		if cursor != nil {
			line = quote(append(line, `,"cursor":`...), *cursor)
		}
		return append(line, "}}"...), nil
	})
	switch {
	case err != nil:
		return nil, err
	case m.err != nil:
		return nil, newRPCError(m.err)
	case resultType(m.result) != "ListToolsResult":
		return nil, listError(m.result)
	}
	page, _ := readObject(m.result)
	return page, nil
}

// listError names the first tool that JP's client cannot decode.
func listError(result json.RawMessage) error {
	members, _ := readObject(result)
	for i, tool := range readArray(members["tools"]) {
		if !isTool(tool) {
			fields, _ := readObject(tool)
			return fmt.Errorf("tool %d (%q) is not well formed", i, readString(fields["name"]))
		}
	}
	return errors.New("the result is not a list of tools")
}
