package jphost

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
)

// maxPages is the maximum number of pages in a list of tools.
const maxPages = 1000

// Tools returns the names of all tools of the server, from all pages, in the server's order. As in JP, a single
// malformed tool makes the whole list invalid, and Tools returns an error.
func (h *Host) Tools(ctx context.Context) ([]string, error) {
	var names []string
	cursor := json.RawMessage(nil)
	for range maxPages {
		result, err := h.result(ctx, func(id int64) ([]byte, error) { return toolsLine(id, cursor), nil })
		if err == nil && resultType(result) != "ListToolsResult" {
			err = listError(result)
		}
		if err != nil {
			return nil, fmt.Errorf("tools/list: %w", err)
		}
		page, _ := readObject(result)
		for _, tool := range readArray(page["tools"]) {
			names = append(names, nameOf(tool))
		}
		if cursor = page["nextCursor"]; !isString(cursor) {
			return names, nil
		}
	}
	return nil, fmt.Errorf("tools/list: more than %d pages", maxPages)
}

func nameOf(tool json.RawMessage) string {
	fields, _ := readObject(tool)
	return readString(fields["name"])
}

func toolsLine(id int64, cursor json.RawMessage) []byte {
	line := fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"method":"tools/list","params":{"_meta":{"progressToken":%d}`,
		id, progressToken(id))
	if cursor != nil {
		line = quote(append(line, `,"cursor":`...), readString(cursor))
	}
	return append(line, "}}"...)
}

// listError returns an error that identifies the first tool that JP's client cannot decode.
func listError(result json.RawMessage) error {
	members, _ := readObject(result)
	for i, tool := range readArray(members["tools"]) {
		if !isTool(tool) {
			return fmt.Errorf("tool %d (%q) is malformed", i, nameOf(tool))
		}
	}
	return errors.New("the result is not a list of tools")
}
