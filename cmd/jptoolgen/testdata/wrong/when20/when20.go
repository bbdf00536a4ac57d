// caught by: vet JP714

// Package when20 picks a question at random.
package when20

import (
	"context"
	"math/rand/v2"

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
	questions := []elicit.Confirm{ask.A, ask.B}
	if ok, err := questions[rand.IntN(2)].Ask(ctx, "Go on?"); err != nil || !ok {
		return "", err
	}
	return "", nil
}
