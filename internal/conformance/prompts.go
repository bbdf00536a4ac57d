package conformance

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func addPrompts(m *mcp.Server) {
	m.AddPrompt(&mcp.Prompt{Name: "test_simple_prompt", Description: "A prompt without arguments."}, prompt("Plain text."))
	m.AddPrompt(&mcp.Prompt{Name: "test_prompt_with_arguments", Description: "A prompt that repeats its arguments.", Arguments: []*mcp.PromptArgument{
		{Name: "arg1", Description: "The first argument.", Required: true},
		{Name: "arg2", Description: "The second argument.", Required: true},
	}}, func(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		a := req.Params.Arguments
		return messages(&mcp.TextContent{Text: fmt.Sprintf("arg1='%s', arg2='%s'", a["arg1"], a["arg2"])}), nil
	})
	m.AddPrompt(&mcp.Prompt{Name: "test_prompt_with_embedded_resource", Description: "A prompt with a resource.", Arguments: []*mcp.PromptArgument{
		{Name: "resourceUri", Description: "The URI of the resource.", Required: true},
	}}, func(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		return messages(&mcp.EmbeddedResource{Resource: &mcp.ResourceContents{
			URI: req.Params.Arguments["resourceUri"], MIMEType: "text/plain", Text: "A resource inside a prompt.",
		}}, &mcp.TextContent{Text: "Read the resource above."}), nil
	})
	m.AddPrompt(&mcp.Prompt{Name: "test_prompt_with_image", Description: "A prompt with an image."},
		func(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			return messages(&mcp.ImageContent{MIMEType: "image/png", Data: picture().Data}, &mcp.TextContent{Text: "Look at the image above."}), nil
		})
	m.AddPrompt(&mcp.Prompt{Name: "test_input_required_result_prompt", Description: "A prompt that asks a question first."}, askFirst)
}

// prompt returns the handler of a prompt that always returns the same text.
func prompt(text string) mcp.PromptHandler {
	return func(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		return messages(&mcp.TextContent{Text: text}), nil
	}
}

func messages(contents ...mcp.Content) *mcp.GetPromptResult {
	out := new(mcp.GetPromptResult)
	for _, c := range contents {
		out.Messages = append(out.Messages, &mcp.PromptMessage{Role: "user", Content: c})
	}
	return out
}

func askFirst(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	if answer, ok := req.Params.InputResponses["user_context"].(*mcp.ElicitResult); ok && answer.Action == "accept" {
		return messages(&mcp.TextContent{Text: fmt.Sprintf("The context is %v.", answer.Content["context"])}), nil
	}
	return &mcp.GetPromptResult{InputRequests: mcp.InputRequestMap{"user_context": &mcp.ElicitParams{
		Message:         "What is the context?",
		RequestedSchema: json.RawMessage(`{"type":"object","properties":{"context":{"type":"string"}},"required":["context"]}`),
	}}}, nil
}
