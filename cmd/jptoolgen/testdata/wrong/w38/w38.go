// caught by: generator JP501

// Package w38 has a question without text.
package w38

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
	A elicit.Confirm
}

// Save is the tool under test.
//
//jp:tool
func (s *Store) Save(ctx context.Context, ask SaveQuestions) (string, error) {
	_, err := ask.A.Ask(ctx, "A?")
	return "", err
}
