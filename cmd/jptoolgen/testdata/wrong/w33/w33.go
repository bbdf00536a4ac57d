// caught by: generator JP304

// Package w33 has a default that is not a constant.
package w33

import (
	"context"

	"example.com/wrong/kit"

	"github.com/jptool/jptool/sdk/elicit"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct{}

// SaveQuestions holds the questions of Save.
type SaveQuestions struct {
	// A is a question.
	A elicit.Choice[kit.How] `default:"merge"`
}

// Save is the tool under test.
//
//jp:tool
func (s *Store) Save(ctx context.Context, ask SaveQuestions) (string, error) {
	_, err := ask.A.Ask(ctx, "A?")
	return "", err
}
