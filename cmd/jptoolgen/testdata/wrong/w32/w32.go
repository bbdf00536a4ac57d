// caught by: generator JP305

// Package w32 offers the constants of a type without any.
package w32

import (
	"context"

	"github.com/jptool/jptool/sdk/elicit"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct{}

// Empty has no constants.
type Empty string

// SaveQuestions holds the questions of Save.
type SaveQuestions struct {
	// A is a question.
	A elicit.Choice[Empty]
}

// Save is the tool under test.
//
//jp:tool
func (s *Store) Save(ctx context.Context, ask SaveQuestions) (string, error) {
	_, err := ask.A.Ask(ctx, "A?")
	return "", err
}
