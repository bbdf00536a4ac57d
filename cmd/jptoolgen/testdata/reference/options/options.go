// Package options has a tool with options.
package options

import (
	"context"

	"github.com/jptool/jptool/sdk/tool"
)

// Notes keeps notes.
//
//jp:server
type Notes struct{}

// FindOptions configure Find.
//
//jp:options
type FindOptions struct {
	// Limit is how many notes to return.
	Limit int `json:"limit" jsonschema:"minimum=1,maximum=100" default:"20"`
	// Folders to look into. All if empty.
	Folders []string `json:"folders,omitempty"`
	// Token of the service that keeps the notes.
	Token tool.Secret `json:"token,omitempty"`
}

// Find finds notes.
//
//jp:tool
func (Notes) Find(ctx context.Context, opt FindOptions) (int, error) {
	return opt.Limit * len(opt.Folders) * len(opt.Token.Reveal()), nil
}
