//lint:file-ignore SA1019 the suite also requires deprecated features

package conformance

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/jptool/jptool/sdk"
	"github.com/jptool/jptool/sdk/gosdk"
)

// New returns the server with everything that the suite requires.
func New() *sdk.Server {
	s := NewServer(&Conformance{})
	o := gosdk.Options(s)
	o.CompletionHandler = complete
	o.SubscribeHandler = func(context.Context, *mcp.SubscribeRequest) error { return nil }
	o.UnsubscribeHandler = func(context.Context, *mcp.UnsubscribeRequest) error { return nil }
	o.Capabilities.Tools.ListChanged = true
	m := gosdk.Server(s)
	addTools(m)
	addRounds(m)
	addResources(m)
	addPrompts(m)
	return s
}

// textResult returns a result with one text block.
func textResult(format string, args ...any) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: fmt.Sprintf(format, args...)}}}
}

// object is the schema of a tool without arguments.
const object = `{"type":"object","properties":{},"additionalProperties":false}`

// schema2020 uses keywords that jptool omits from its schemas because many clients fail on them.
const schema2020 = `{
	"$schema": "https://json-schema.org/draft/2020-12/schema",
	"type": "object",
	"$defs": {"address": {"$anchor": "addressDef", "type": "object", "properties": {"street": {"type": "string"}, "city": {"type": "string"}}}},
	"properties": {
		"name": {"type": "string"},
		"address": {"$ref": "#/$defs/address"},
		"contactMethod": {"type": "string", "enum": ["phone", "email"]},
		"phone": {"type": "string"},
		"email": {"type": "string"}
	},
	"allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
	"if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
	"then": {"required": ["phone"]},
	"else": {"required": ["email"]},
	"additionalProperties": false
}`

// enums is the schema of a form with one field for each of the five kinds of enum (SEP-1330).
const enums = `{
	"type": "object",
	"properties": {
		"untitledSingle": {"type": "string", "enum": ["option1", "option2", "option3"]},
		"titledSingle": {"type": "string", "oneOf": [{"const": "value1", "title": "First"}, {"const": "value2", "title": "Second"}]},
		"legacyEnum": {"type": "string", "enum": ["opt1", "opt2"], "enumNames": ["One", "Two"]},
		"untitledMulti": {"type": "array", "minItems": 1, "maxItems": 3, "items": {"type": "string", "enum": ["option1", "option2", "option3"]}},
		"titledMulti": {"type": "array", "minItems": 1, "maxItems": 3, "items": {"anyOf": [{"const": "value1", "title": "First"}, {"const": "value2", "title": "Second"}]}}
	}
}`

func addTools(m *mcp.Server) {
	add(m, "test_sampling", "Asks the client's model.",
		`{"type":"object","properties":{"prompt":{"type":"string","description":"Text for the model."}},"required":["prompt"],"additionalProperties":false}`, sample)
	add(m, "test_elicitation_sep1330_enums", "Asks for choices with a schema that contains every kind of enum.", object, chooseAll)
	add(m, "json_schema_2020_12_tool", "Has a schema with many keywords of JSON Schema.", schema2020,
		func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return textResult("valid"), nil
		})
	add(m, "test_missing_capability", "Requires a client with the sampling capability.", object, needSampling)
	add(m, "test_x_mcp_header", "Has an argument that HTTP requests repeat in a header.",
		`{"type":"object","properties":{"region":{"type":"string","description":"Region of the service.","x-mcp-header":"Region"},"level":{"type":"integer","description":"Level of detail."}},"additionalProperties":false}`,
		func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return textResult("heard"), nil
		})
	add(m, "test_reconnection", "Closes its stream before it returns. A client that reconnects gets the result.", object, reconnect)
	// Adding an existing item again also sends a list_changed notification.
	add(m, "test_trigger_tool_change", "Changes the list of tools.", object,
		func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			add(m, "test_changed_tool", "Was added later.", object,
				func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
					return textResult("here"), nil
				})
			return textResult("the tools changed"), nil
		})
	add(m, "test_trigger_prompt_change", "Changes the list of prompts.", object,
		func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			m.AddPrompt(&mcp.Prompt{Name: "test_changed_prompt", Description: "Was added later."}, prompt("here"))
			return textResult("the prompts changed"), nil
		})
}

func add(m *mcp.Server, name, description, schema string, handle mcp.ToolHandler) {
	m.AddTool(&mcp.Tool{Name: name, Description: description, InputSchema: json.RawMessage(schema)}, handle)
}

func sample(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	var in struct{ Prompt string }
	if err := json.Unmarshal(req.Params.Arguments, &in); err != nil {
		return nil, err
	}
	res, err := req.Session.CreateMessage(ctx, sampling(in.Prompt))
	if err != nil {
		return nil, err
	}
	text, ok := res.Content.(*mcp.TextContent)
	if !ok {
		return nil, fmt.Errorf("the model answered with %T", res.Content)
	}
	return textResult("the model says %s", text.Text), nil
}

func reconnect(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if req.Extra != nil && req.Extra.CloseSSEStream != nil {
		req.Extra.CloseSSEStream(mcp.CloseSSEStreamArgs{RetryAfter: pause})
	}
	if err := wait(ctx); err != nil {
		return nil, err
	}
	return textResult("the client reconnected"), nil
}

func chooseAll(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	res, err := req.Session.Elicit(ctx, &mcp.ElicitParams{Message: "Choose.", RequestedSchema: json.RawMessage(enums)})
	if err != nil {
		return nil, err
	}
	return textResult("%s %v", res.Action, res.Content), nil
}

func needSampling(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if c := req.ClientCapabilities(); c != nil && c.Sampling != nil {
		return textResult("the client supports sampling"), nil
	}
	return nil, &jsonrpc.Error{
		Code: mcp.CodeMissingRequiredClientCapabilities, Message: "the client must support sampling",
		Data: json.RawMessage(`{"requiredCapabilities":{"sampling":{}}}`),
	}
}

// complete returns the suite's values that begin with the typed text.
func complete(_ context.Context, req *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
	values := []string{}
	for _, v := range []string{"paris", "park", "party"} {
		if strings.HasPrefix(v, req.Params.Argument.Value) {
			values = append(values, v)
		}
	}
	return &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: values, Total: len(values)}}, nil
}
