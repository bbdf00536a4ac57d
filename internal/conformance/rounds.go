//lint:file-ignore SA1019 the suite also requires deprecated features

package conformance

import (
	"context"
	"crypto/rand"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// In multi round-trip requests, generated tools can only send questions for a person. The tools below also send other
// requests, so they use go-sdk directly.

// nameForm asks for a name.
const nameForm = `{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}`

func askName() *mcp.ElicitParams {
	return &mcp.ElicitParams{Message: "What is your name?", RequestedSchema: json.RawMessage(nameForm)}
}

// sampling returns a request to the client's model.
func sampling(prompt string) *mcp.CreateMessageParams {
	return &mcp.CreateMessageParams{MaxTokens: 100, Messages: []*mcp.SamplingMessage{{Role: "user", Content: &mcp.TextContent{Text: prompt}}}}
}

func addRounds(m *mcp.Server) {
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
	addSealed(m)
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

// addSealed adds a tool whose state must be returned unchanged. Its name is longer than the maximum length for
// generated tools. Another tool (test_input_required_result_request_state) and the tests of this package check
// the state of generated tools.
func addSealed(m *mcp.Server) {
	const name = "test_input_required_result_tampered_state"
	state := rand.Text()
	add(m, name, "Rejects a state that was changed.", object, func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if req.Params.RequestState == "" {
			return &mcp.CallToolResult{
				InputRequests: mcp.InputRequestMap{"confirm": &mcp.ElicitParams{
					Message: "Go on?", RequestedSchema: json.RawMessage(`{"type":"object","properties":{"ok":{"type":"boolean"}},"required":["ok"]}`),
				}},
				RequestState: state,
			}, nil
		}
		if req.Params.RequestState != state {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "the requestState is not valid"}
		}
		return textResult("state-ok"), nil
	})
}
