// caught by: generator JP212

// Package w72 has two constants with the same value.
package w72

import (
	"context"

	"github.com/jptool/jptool/sdk/elicit"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct{}

// Same has two equal constants.
type Same string

const (
	One Same = "one" // One.
	Two Same = "one" // Two.
	Ten Same = "ten" // Ten.
)

// SaveQuestions holds the questions of Save.
type SaveQuestions struct {
	// A is a question.
	A elicit.Choice[Same] `default:"one"`
}

// Save is the tool under test.
//
//jp:tool
func (s *Store) Save(ctx context.Context, ask SaveQuestions) (string, error) {
	_, err := ask.A.Ask(ctx, "A?")
	return "", err
}
