package peer

import (
	"context"
	"encoding/base64"
	"fmt"

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

// Read returns the contents of the resource at a URI.
func (s *Session) Read(ctx context.Context, uri string) (*ReadResult, error) {
	r := new(ReadResult)
	var err error
	r.Raw, err = s.get(ctx, "resources/read", params{URI: uri}, r)
	return r, err
}

// Prompt returns the messages of a prompt. The arguments are an object whose members are strings.
func (s *Session) Prompt(ctx context.Context, name string, arguments jsontext.Value) (*PromptResult, error) {
	r := new(PromptResult)
	var err error
	r.Raw, err = s.get(ctx, "prompts/get", params{Name: name, Arguments: arguments}, r)
	return r, err
}

// get makes a request, answers its questions, and parses the result.
func (s *Session) get(ctx context.Context, method string, p params, result any) (jsontext.Value, error) {
	s.transport.listen(ctx)
	raw, err := s.rounds(ctx, method, p, func(p params) (jsontext.Value, error) {
		return s.request(ctx, method, p, s.options.Limits.Silence)
	})
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(raw, result); err != nil {
		return nil, malformed(method, err)
	}
	return raw, nil
}
