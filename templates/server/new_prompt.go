package main

import (
	"context"

	"github.com/jptool/jptool/sdk/content"
)

// NewPromptInput holds the arguments of new_prompt.
type NewPromptInput struct {
	// Topic of the text.
	Topic string `json:"topic" jsonschema:"minLength=1,maxLength=100"`
}

// NewPrompt asks the model to write about a topic.
//
//jp:prompt name=new_prompt
func (*MyNotes) NewPrompt(ctx context.Context, in NewPromptInput) (content.Messages, error) {
	return content.Messages{content.Say(content.User, "Write a short text about "+in.Topic+".")}, nil
}
