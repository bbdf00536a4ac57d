package client

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/jptool/jptool/sdk/fault"
)

// metaError is where a failed result has its code.
const metaError = "computer.jp/error"

// An Error is the failure of a tool.
type Error struct {
	// Tool is its name.
	Tool string
	// Code says what kind of failure it is; "" for servers that have no codes.
	Code fault.Code
	// Message is the tool's own word.
	Message string
	// Details are structured, a JSON object, or nil.
	Details json.RawMessage
	// Recoverable says that other arguments may help.
	Recoverable bool
	// Transient says that the same call may succeed later.
	Transient bool
}

func (e *Error) Error() string {
	if e.Code == "" {
		return fmt.Sprintf("%s: %s", e.Tool, e.Message)
	}
	return fmt.Sprintf("%s: %s: %s", e.Tool, e.Code, e.Message)
}

// Is reports whether target is an Error of the same code and no other fields, so that
// errors.Is(err, &client.Error{Code: fault.NotFound}) tells failures apart.
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
