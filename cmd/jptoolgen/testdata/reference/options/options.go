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

// Account configures the service that stores the notes, for all tools.
//
//jp:options scope=server
type Account struct {
	// Region of the service.
	Region string `json:"region,omitempty"`
	// Token of the service.
	Token tool.Secret `json:"token,omitempty"`
}

// FindOptions configure Find.
//
//jp:options
type FindOptions struct {
	Account
	// Limit is the maximum number of notes to return.
	Limit int `json:"limit" jsonschema:"minimum=1,maximum=100" default:"20"`
	// Folders to search. If empty, all folders are searched.
	Folders []string `json:"folders,omitempty"`
}

// Find finds notes.
//
//jp:tool
func (Notes) Find(ctx context.Context, opt FindOptions) (int, error) {
	return opt.Limit * len(opt.Folders) * len(opt.Token.Reveal()), nil
}

// Save saves notes.
//
//jp:tool
func (Notes) Save(ctx context.Context, opt Account) (string, error) { return opt.Region, nil }
