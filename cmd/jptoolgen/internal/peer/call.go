package peer

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// rounds bounds how often one call may ask.
const rounds = 100

// A Call is a call of a tool.
type Call struct {
	Tool      string
	Arguments jsontext.Value
	// Meta is sent beside the arguments.
	Meta map[string]any
	// Silence is how long the tool may run without a report of progress; 0 is that of the limits.
	Silence time.Duration
}

// A Result is what a tool answered (MCP 2025-11-25, Calling tools).
type Result struct {
	// Raw is the result as it came.
	Raw        jsontext.Value            `json:"-"`
	Content    []Block                   `json:"content"`
	Structured jsontext.Value            `json:"structuredContent"`
	IsError    bool                      `json:"isError"`
	Meta       map[string]jsontext.Value `json:"_meta"`
}

// A Block is a content block: of text, or of one of the other types, with what they have in common.
type Block struct {
	Type     string `json:"type"`
	Text     string `json:"text"`
	Data     string `json:"data"`
	MIMEType string `json:"mimeType"`
	URI      string `json:"uri"`
	Name     string `json:"name"`
	Resource struct {
		URI      string `json:"uri"`
		MIMEType string `json:"mimeType"`
		Text     string `json:"text"`
		Blob     string `json:"blob"`
	} `json:"resource"`
}

// An inputRequired is a result that asks (MCP 2026-07-28, Multi round-trip requests).
type inputRequired struct {
	ResultType    string `json:"resultType"`
	InputRequests map[string]struct {
		Method string         `json:"method"`
		Params jsontext.Value `json:"params"`
	} `json:"inputRequests"`
	RequestState string `json:"requestState"`
}

// Call calls a tool, and answers its questions by [Options].Elicit until there is a result.
func (s *Session) Call(ctx context.Context, c Call) (*Result, error) {
	if c.Silence == 0 {
		c.Silence = s.options.Limits.Silence
	}
	p := params{Name: c.Tool, Arguments: c.Arguments}
	for range rounds {
		p.Meta = map[string]any{}
		for name, value := range c.Meta {
			p.Meta[name] = value
		}
		if s.options.Progress != nil {
			p.Meta["progressToken"] = s.lastID + 1
		}
		raw, err := s.request(ctx, "tools/call", p, c.Silence)
		if err != nil {
			return nil, err
		}
		var asked inputRequired
		if json.Unmarshal(raw, &asked) == nil && asked.ResultType == "input_required" {
			if p.InputResponses, err = s.respond(ctx, raw); err != nil {
				return nil, err
			}
			p.RequestState = asked.RequestState
			continue
		}
		return readResult(raw)
	}
	return nil, fmt.Errorf("%w: it asked %d times in one call", ErrTooMuch, rounds)
}

func readResult(raw jsontext.Value) (*Result, error) {
	r := &Result{Raw: raw}
	if err := json.Unmarshal(raw, r); err != nil {
		return nil, fmt.Errorf("tools/call: %w: %w", ErrMalformed, err)
	}
	return r, nil
}

// respond answers every question of a result.
func (s *Session) respond(ctx context.Context, raw jsontext.Value) (map[string]Response, error) {
	var asked inputRequired
	if err := json.Unmarshal(raw, &asked); err != nil {
		return nil, fmt.Errorf("tools/call: %w: %w", ErrMalformed, err)
	}
	if len(asked.InputRequests) == 0 && asked.RequestState == "" || s.options.Elicit == nil && len(asked.InputRequests) > 0 {
		return nil, fmt.Errorf("tools/call: %w: it wants input that it was told nobody can give", ErrMalformed)
	}
	responses := make(map[string]Response, len(asked.InputRequests))
	for _, key := range slices.Sorted(maps.Keys(asked.InputRequests)) {
		q := asked.InputRequests[key]
		if q.Method != "elicitation/create" {
			return nil, fmt.Errorf("tools/call: the server wants %.60q, which this client does not do", q.Method)
		}
		response, err := s.elicit(ctx, key, q.Params)
		if err != nil {
			return nil, err
		}
		responses[key] = response
	}
	return responses, nil
}
