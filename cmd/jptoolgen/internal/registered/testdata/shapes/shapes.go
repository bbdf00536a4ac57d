// Package shapes registers tools with go-sdk. Their types cover all kinds of JSON values.
package shapes

import (
	"context"
	"encoding/json"
	"log/slog"
	"math/big"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// In has arguments of all types.
type In struct {
	Embedded
	*Pointed `json:",omitempty"`
	Named    `json:"named"`

	Bool    bool              `json:"bool" jsonschema:"Yes, or no."`
	Int     int               `json:"int,omitempty"`
	Int8    int8              `json:"int8,omitzero"`
	Int16   int16             `json:"int16"`
	Int32   *int32            `json:"int32"`
	Int64   int64             `json:"int64"`
	Uint    uint              `json:"uint"`
	Uint8   uint8             `json:"uint8"`
	Uint16  uint16            `json:"uint16"`
	Uint32  uint32            `json:"uint32"`
	Uint64  *uint64           `json:"uint64"`
	Float   float32           `json:"float"`
	Text    Color             `json:"text"`
	Any     any               `json:"any"`
	Raw     json.RawMessage   `json:"raw"`
	Bytes   []byte            `json:"bytes"`
	List    []*Item           `json:"list"`
	Array   [3]string         `json:"array"`
	Map     map[string]Item   `json:"map"`
	Colors  map[Color]*[]bool `json:"colors,omitempty"`
	Time    time.Time         `json:"time"`
	TimeP   *time.Time        `json:"timeP"`
	Big     big.Int           `json:"big"`
	Level   slog.Level        `json:"level"`
	Inline  struct{ A, b int }
	Ignored string `json:"-"`
	Dash    string `json:"-,"`
	String  int    `json:",string"`
	hidden  int
}

// Embedded is embedded.
type Embedded struct {
	Outer string `json:"outer" jsonschema:"says why"`
	Text  int    `json:"text"`
}

// Pointed is embedded as a pointer.
type Pointed struct {
	Inner string `json:"inner,omitempty"`
}

// Named is embedded and has a name in JSON.
type Named struct {
	Name string `json:"name"`
}

// Color is a string.
type Color string

// Item is nested.
type Item struct {
	ID int `json:"id"`
}

// Out is a result.
type Out struct {
	Next *Out1 `json:"next,omitempty"`
}

// Out1 is nested.
type Out1 struct{}

const prefix = "shape" + "_"

// Server returns the server.
func Server() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: prefix + "s", Version: "1"}, nil)
	mcp.AddTool(s, &mcp.Tool{Name: prefix + "all", Description: "All.\n  - of them"}, all)
	mcp.AddTool(s, empty(), func(context.Context, *mcp.CallToolRequest, any) (*mcp.CallToolResult, *Out, error) {
		return nil, nil, nil
	})
	schema, err := jsonschema.For[Item](nil)
	if err != nil {
		panic(err)
	}
	s.AddTool(&mcp.Tool{Name: prefix + "inferred", InputSchema: schema, Annotations: &mcp.ToolAnnotations{
		Title: "Inferred", DestructiveHint: pointer(false), IdempotentHint: true, OpenWorldHint: new(true),
	}}, raw)
	s.AddTool(&mcp.Tool{Name: prefix + "literal", InputSchema: &jsonschema.Schema{
		Type: "object", Required: []string{"a"}, AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}},
		Properties: map[string]*jsonschema.Schema{
			"a": {Type: "string", Enum: []any{"x", "y"}, Default: json.RawMessage(`"x"`), MaxLength: jsonschema.Ptr(3)},
			"b": {Types: []string{"null", "integer"}, Minimum: jsonschema.Ptr(1.5), Description: "B"},
			"c": {AnyOf: []*jsonschema.Schema{{Type: "string"}, {Const: jsonschema.Ptr[any](nil)}}},
		},
	}, OutputSchema: json.RawMessage(`{"type":"object"}`)}, raw)
	return s
}

func empty() *mcp.Tool { return &mcp.Tool{Name: prefix + "empty", Title: "Empty"} }

func pointer[T any](v T) *T { return &v }

func all(context.Context, *mcp.CallToolRequest, In) (*mcp.CallToolResult, Out, error) {
	return nil, Out{}, nil
}

func raw(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return nil, nil }
