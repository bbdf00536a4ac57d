// caught by: generator JP303

// Package w18 has two questions with the same id.
package w18

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
	A elicit.Confirm `ask:"sure"`
	// B is another question.
	B elicit.Confirm `ask:"sure"`
}

// Save is the tool under test.
//
//jp:tool
func (s *Store) Save(ctx context.Context, ask SaveQuestions) (string, error) {
	if _, err := ask.A.Ask(ctx, "A?"); err != nil {
		return "", err
	}
	if _, err := ask.B.Ask(ctx, "B?"); err != nil {
		return "", err
	}
	return "", nil
}
