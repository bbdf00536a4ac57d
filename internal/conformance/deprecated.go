//lint:file-ignore SA1019 the suite also requires deprecated features

package conformance

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/jptool/jptool/sdk"
	"github.com/jptool/jptool/sdk/gosdk"
)

// The suite also requires tools that use deprecated features of MCP, which jptool does not have: sampling, roots,
// enumNames in forms, and streams that the server closes before the result.

// New returns the server with everything that the suite requires.
func New() *sdk.Server {
	s := NewServer(&Conformance{})
	m := gosdk.Server(s)
	add(m, "test_sampling", "Asks the client's model.",
		`{"type":"object","properties":{"prompt":{"type":"string","description":"Text for the model."}},"required":["prompt"]}`, sample)
	add(m, "test_missing_capability", "Requires a client with the sampling capability.", object, needSampling)
	add(m, "test_elicitation_sep1330_enums", "Asks for choices with a schema that contains every kind of enum.", object, chooseAll)
	add(m, "test_reconnection", "Closes its stream before it returns. A client that reconnects gets the result.", object, reconnect)
	round(m, "test_input_required_result_sampling", "Asks the client's model.", mcp.InputRequestMap{
		"capital_question": sampling("What is the capital of France?"),
	})
	round(m, "test_input_required_result_list_roots", "Asks for the client's roots.", mcp.InputRequestMap{
		"client_roots": &mcp.ListRootsParams{},
	})
	round(m, "test_input_required_result_multiple_inputs", "Sends three requests at once.", mcp.InputRequestMap{
		"user_name": askName(), "greeting": sampling("Write a greeting."), "client_roots": &mcp.ListRootsParams{},
	})
	add(m, "test_input_required_result_capabilities", "Sends a request for each capability of the client.", object, askDeclared)
	return s
}

// textResult returns a result with one text block.
func textResult(format string, args ...any) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: fmt.Sprintf(format, args...)}}}
}

// object is the schema of a tool without arguments.
const object = `{"type":"object","properties":{},"additionalProperties":false}`

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

func needSampling(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if c := req.ClientCapabilities(); c != nil && c.Sampling != nil {
		return textResult("the client supports sampling"), nil
	}
	return nil, &jsonrpc.Error{
		Code: mcp.CodeMissingRequiredClientCapabilities, Message: "the client must support sampling",
		Data: json.RawMessage(`{"requiredCapabilities":{"sampling":{}}}`),
	}
}

// enums is the schema of a form with one field for each of the five kinds of enum (SEP-1330). Only the deprecated kind,
// legacyEnum, keeps the form from being a Go type.
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

func chooseAll(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	res, err := req.Session.Elicit(ctx, &mcp.ElicitParams{Message: "Choose.", RequestedSchema: json.RawMessage(enums)})
	if err != nil {
		return nil, err
	}
	return textResult("%s %v", res.Action, res.Content), nil
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

// nameForm asks for a name.
const nameForm = `{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}`

func askName() *mcp.ElicitParams {
	return &mcp.ElicitParams{Message: "What is your name?", RequestedSchema: json.RawMessage(nameForm)}
}

// sampling returns a request to the client's model.
func sampling(prompt string) *mcp.CreateMessageParams {
	return &mcp.CreateMessageParams{MaxTokens: 100, Messages: []*mcp.SamplingMessage{{Role: "user", Content: &mcp.TextContent{Text: prompt}}}}
}

// round adds a tool that sends all requests in one round.
func round(m *mcp.Server, name, description string, requests mcp.InputRequestMap) {
	add(m, name, description, object, func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		for key := range requests {
			if req.Params.InputResponses[key] == nil {
				return &mcp.CallToolResult{InputRequests: requests, RequestState: name}, nil
			}
		}
		return textResult("%d answers", len(requests)), nil
	})
}

func askDeclared(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	requests := mcp.InputRequestMap{}
	if c := req.ClientCapabilities(); c != nil {
		if c.Elicitation != nil {
			requests["user_name"] = askName()
		}
		if c.Sampling != nil {
			requests["greeting"] = sampling("Write a greeting.")
		}
		if c.RootsV2 != nil {
			requests["client_roots"] = &mcp.ListRootsParams{}
		}
	}
	if len(requests) == 0 || len(req.Params.InputResponses) > 0 {
		return textResult("nothing more to ask"), nil
	}
	return &mcp.CallToolResult{InputRequests: requests}, nil
}
