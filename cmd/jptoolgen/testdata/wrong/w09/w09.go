// caught by: compiler

// Package w09 was generated before the bounds of a question were changed.
package w09

import (
	"context"

	"github.com/jptool/jptool/sdk/elicit"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct{}

// SaveInput holds the arguments of Save.
type SaveInput struct {
	// Name of the thing.
	Name string `json:"name" jsonschema:"maxLength=40"`
	// Size of the thing.
	Size Size `json:"size,omitempty"`
}

// Size is the size of a thing.
type Size string

const (
	Small Size = "small" // A small thing.
	Large Size = "large" // A large thing.
)

// SaveQuestions holds the questions of Save.
type SaveQuestions struct {
	// Sure asks whether to go on.
	Sure elicit.Confirm
	// Name asks for a name.
	Name elicit.Text `jsonschema:"maxLength=20"`
}

// Save is the tool under test.
//
//jp:tool
func (s *Store) Save(ctx context.Context, in SaveInput, ask SaveQuestions) (string, error) {
	if ok, err := ask.Sure.Ask(ctx, "Sure?"); err != nil || !ok {
		return "", err
	}
	return ask.Name.Ask(ctx, "Name?")
}
