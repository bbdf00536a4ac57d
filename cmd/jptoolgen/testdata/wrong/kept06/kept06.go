// caught by: vet JP723

// Package kept06 swaps two questions.
package kept06

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
	A elicit.Confirm
	// B is another question.
	B elicit.Confirm
}

// Save is the tool under test.
//
//jp:tool
func (s *Store) Save(ctx context.Context, ask SaveQuestions) (string, error) {
	ask.A, ask.B = ask.B, ask.A
	if ok, err := ask.A.Ask(ctx, "A?"); err != nil || !ok {
		return "", err
	}
	if ok, err := ask.B.Ask(ctx, "B?"); err != nil || !ok {
		return "", err
	}
	return "", nil
}
