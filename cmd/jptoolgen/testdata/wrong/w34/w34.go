// caught by: generator JP306

// Package w34 confirms a destructive action by default.
package w34

import (
	"context"

	"github.com/jptool/jptool/sdk/elicit"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct{}

// SaveQuestions holds the questions of Save.
type SaveQuestions struct {
	// A is a question.
	A elicit.Confirm `default:"true"`
}

// Save is the tool under test.
//
//jp:tool destructive=true
func (s *Store) Save(ctx context.Context, ask SaveQuestions) (string, error) {
	_, err := ask.A.Ask(ctx, "A?")
	return "", err
}
