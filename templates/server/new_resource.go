package main

import (
	"context"
	"strings"

	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/tool"
)

// NewResourceInput holds the variables of the URI of new_resource.
type NewResourceInput struct {
	// ID of the resource.
	ID string `json:"id" jsonschema:"minLength=1,maxLength=100"`
}

// NewResource returns a resource. NewResourceURI, which is generated, returns its URI.
//
//jp:resource name=new_resource uri=new-resource://{id} mime=text/plain
//jp:fails not_found
func (*MyNotes) NewResource(ctx context.Context, in NewResourceInput) (string, error) {
	if in.ID != "first" {
		return "", fault.New(fault.NotFound, "there is no %q", in.ID)
	}
	return "This is the first.", nil
}

// CompleteNewResource completes the id of a resource.
//
//jp:complete new_resource id
func (*MyNotes) CompleteNewResource(ctx context.Context, c tool.Completion[NewResourceInput]) ([]string, error) {
	if !strings.HasPrefix("first", c.Value) {
		return nil, nil
	}
	return []string{"first"}, nil
}
