package main

import "context"

// NewToolInput holds the arguments of new_tool.
type NewToolInput struct {
	// Text to work on.
	Text string `json:"text" jsonschema:"minLength=1,maxLength=10000"`
}

// NewTool returns the text unchanged.
//
//jp:tool name=new_tool readonly=true openworld=false
func (*MyNotes) NewTool(ctx context.Context, in NewToolInput) (string, error) {
	return in.Text, nil
}
