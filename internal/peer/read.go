package peer

import (
	"cmp"
	"context"
	"encoding/base64"
	"fmt"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Contents holds the contents of a resource, or a part of them (MCP 2025-11-25, Resource Contents).
type Contents struct {
	URI      string `json:"uri"`
	MIMEType string `json:"mimeType"`
	Text     string `json:"text"`
	// Blob is binary data in base64, or nil for text.
	Blob *string `json:"blob"`
}

// Binary returns the decoded data, or nil for text. It is not nil for binary data without bytes.
func (c Contents) Binary() ([]byte, error) {
	if c.Blob == nil {
		return nil, nil
	}
	data, err := Decode(*c.Blob)
	if data == nil && err == nil {
		data = []byte{}
	}
	return data, err
}

// Decode returns the binary data of a block or a resource, which is sent in base64.
func Decode(text string) ([]byte, error) {
	if text == "" {
		return nil, nil
	}
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil, fmt.Errorf("%w: cannot decode binary data: %w", ErrMalformed, err)
	}
	return data, nil
}

// A ReadResult holds the contents of a resource.
type ReadResult struct {
	// Raw is the unparsed result.
	Raw      jsontext.Value `json:"-"`
	Contents []Contents     `json:"contents"`
}

// A PromptResult holds the messages of a prompt (MCP 2025-11-25, Prompts).
type PromptResult struct {
	// Raw is the unparsed result.
	Raw         jsontext.Value  `json:"-"`
	Description string          `json:"description"`
	Messages    []PromptMessage `json:"messages"`
}

// A PromptMessage is a message from a user or an assistant.
type PromptMessage struct {
	Role    string `json:"role"`
	Content Block  `json:"content"`
}

// A Get is a request for a resource or a prompt.
type Get struct {
	// URI is that of a resource, or "".
	URI string
	// Name is the name of a prompt, or "". Arguments is an object whose members are strings.
	Name      string
	Arguments jsontext.Value
	// Meta is sent along.
	Meta map[string]any
	// Silence is the maximum time without a progress report. 0 means the value in the limits.
	Silence time.Duration
}

// Read returns the contents of a resource.
func (s *Session) Read(ctx context.Context, g Get) (*ReadResult, error) {
	r := new(ReadResult)
	var err error
	r.Raw, err = s.get(ctx, "resources/read", g, r)
	return r, err
}

// Prompt returns the messages of a prompt.
func (s *Session) Prompt(ctx context.Context, g Get) (*PromptResult, error) {
	r := new(PromptResult)
	var err error
	r.Raw, err = s.get(ctx, "prompts/get", g, r)
	return r, err
}

// get makes a request, answers its questions, and parses the result.
func (s *Session) get(ctx context.Context, method string, g Get, result any) (jsontext.Value, error) {
	p := params{URI: g.URI, Name: g.Name, Arguments: g.Arguments}
	raw, err := s.exchange(ctx, method, p, g.Meta, cmp.Or(g.Silence, s.options.Limits.Silence))
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(raw, result); err != nil {
		return nil, malformed(method, err)
	}
	return raw, nil
}

// A Complete is a request to complete the value of a variable of a template, or of an argument of a prompt.
type Complete struct {
	// Template is the URI template, or "" for a prompt with the given name.
	Template, Prompt string
	// Argument is the name of the variable or argument, and Value is the beginning of its value.
	Argument, Value string
	// Given are the other values.
	Given map[string]string
}

// A Completion holds the values that a server suggests (MCP 2025-11-25, Completion).
type Completion struct {
	Values  []string `json:"values"`
	Total   int      `json:"total"`
	HasMore bool     `json:"hasMore"`
}

// Complete returns the values that a server suggests, or none if it does not complete values.
func (s *Session) Complete(ctx context.Context, c Complete) (Completion, error) {
	var result struct {
		Completion Completion `json:"completion"`
	}
	if _, has := s.server.Capabilities["completions"]; !has {
		return result.Completion, nil
	}
	p := params{
		Ref:      map[string]any{"type": "ref/prompt", "name": c.Prompt},
		Argument: map[string]any{"name": c.Argument, "value": c.Value},
	}
	if c.Template != "" {
		p.Ref = map[string]any{"type": "ref/resource", "uri": c.Template}
	}
	if len(c.Given) > 0 {
		p.Context = map[string]any{"arguments": c.Given}
	}
	const method = "completion/complete"
	raw, err := s.request(ctx, method, p, s.options.Limits.Silence)
	if err == nil {
		if err = json.Unmarshal(raw, &result); err != nil {
			err = malformed(method, err)
		}
	}
	return result.Completion, err
}
