package conformance

import (
	"context"
	"fmt"
	"strings"

	"github.com/jptool/jptool/sdk/content"
	"github.com/jptool/jptool/sdk/elicit"
	"github.com/jptool/jptool/sdk/tool"
)

// SimplePrompt is a prompt without arguments.
//
//jp:prompt name=test_simple_prompt
func (c *Conformance) SimplePrompt(context.Context) (string, error) { return "Plain text.", nil }

// PairInput holds two arguments.
type PairInput struct {
	// The first argument.
	Arg1 string `json:"arg1"`
	// The second argument.
	Arg2 string `json:"arg2"`
}

// PromptWithArguments is a prompt that repeats its arguments.
//
//jp:prompt name=test_prompt_with_arguments
func (c *Conformance) PromptWithArguments(_ context.Context, in PairInput) (string, error) {
	return fmt.Sprintf("arg1='%s', arg2='%s'", in.Arg1, in.Arg2), nil
}

// CompletePair returns the suite's values that begin with the typed text.
//
//jp:complete test_prompt_with_arguments arg1
//jp:complete test_prompt_with_arguments arg2
func (c *Conformance) CompletePair(_ context.Context, typed tool.Completion[PairInput]) ([]string, error) {
	values := []string{}
	for _, v := range []string{"paris", "park", "party"} {
		if strings.HasPrefix(v, typed.Value) {
			values = append(values, v)
		}
	}
	return values, nil
}

// ResourceInput identifies a resource.
type ResourceInput struct {
	// The URI of the resource.
	ResourceURI string `json:"resourceUri"`
}

// PromptWithResource is a prompt with a resource.
//
//jp:prompt name=test_prompt_with_embedded_resource
func (c *Conformance) PromptWithResource(_ context.Context, in ResourceInput) (content.Messages, error) {
	return content.Messages{
		{Role: content.User, Block: content.Resource{URI: in.ResourceURI, MIMEType: "text/plain", Text: "A resource inside a prompt."}},
		content.Say(content.User, "Read the resource above."),
	}, nil
}

// PromptWithImage is a prompt with an image.
//
//jp:prompt name=test_prompt_with_image
func (c *Conformance) PromptWithImage(context.Context) (content.Messages, error) {
	return content.Messages{
		{Role: content.User, Block: picture()},
		content.Say(content.User, "Look at the image above."),
	}, nil
}

// Background is what the prompt is about.
type Background struct {
	// Context of the prompt.
	Context string `json:"context"`
}

// BackgroundQuestions ask what the prompt is about.
type BackgroundQuestions struct {
	// UserContext asks for the context.
	UserContext elicit.Form[Background] `ask:"user_context"`
}

// PromptThatAsks is a prompt that asks a question first.
//
//jp:prompt name=test_input_required_result_prompt
func (c *Conformance) PromptThatAsks(ctx context.Context, ask BackgroundQuestions) (string, error) {
	about, err := ask.UserContext.Ask(ctx, "What is the context?")
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("The context is %s.", about.Context), nil
}
