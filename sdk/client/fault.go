package client

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/jptool/jptool/sdk/fault"
)

// metaError is the _meta key of a failed result's code.
const metaError = "computer.jp/error"

// An Error is the failure of a tool.
type Error struct {
	// Tool is the name of the tool.
	Tool string
	// Code is the kind of failure; "" for servers without codes.
	Code fault.Code
	// Message is the tool's error message.
	Message string
	// Details is a JSON object, or nil.
	Details json.RawMessage
	// Recoverable means that other arguments may help.
	Recoverable bool
	// Transient means that the same call may succeed later.
	Transient bool
}

func (e *Error) Error() string {
	if e.Code == "" {
		return fmt.Sprintf("%s: %s", e.Tool, e.Message)
	}
	return fmt.Sprintf("%s: %s: %s", e.Tool, e.Code, e.Message)
}

// Is reports whether target is an Error with the same code and no other fields, so that
// errors.Is(err, &client.Error{Code: fault.NotFound}) tests for a code.
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && t.Code != "" && t.Code == e.Code && t.Tool == "" && t.Message == ""
}

func failure(tool string, result *mcp.CallToolResult) *Error {
	e := &Error{Tool: tool, Message: text(result)}
	data, err := json.Marshal(result.Meta[metaError])
	if err != nil {
		return e
	}
	var meta struct {
		Code        fault.Code      `json:"code"`
		Details     json.RawMessage `json:"details"`
		Recoverable bool            `json:"recoverable"`
		Transient   bool            `json:"transient"`
	}
	if json.Unmarshal(data, &meta) != nil || meta.Code == "" {
		return e
	}
	e.Code, e.Recoverable, e.Transient = meta.Code, meta.Recoverable, meta.Transient
	if string(meta.Details) != "null" {
		e.Details = meta.Details
	}
	e.Message = strings.TrimPrefix(e.Message, string(e.Code)+": ")
	return e
}
