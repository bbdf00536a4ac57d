// caught by: generator JP303

// Package w77 has a question with the id of another question about a subject.
package w77

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
	// Confirm asks about a thing.
	Confirm elicit.Confirm
	// Other has no subject.
	Other elicit.Confirm `ask:"confirm-a"`
}

// Save is the tool under test.
//
//jp:tool
func (s *Store) Save(ctx context.Context, ask SaveQuestions) (string, error) {
	if _, err := ask.Confirm.For("a").Ask(ctx, "Delete a?"); err != nil {
		return "", err
	}
	if _, err := ask.Other.Ask(ctx, "Harmless?"); err != nil {
		return "", err
	}
	return "", nil
}
