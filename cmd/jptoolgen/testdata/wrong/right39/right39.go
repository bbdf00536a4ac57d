// caught by: nothing (control)

// Package right39 picks a question by an argument.
package right39

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
	A elicit.Confirm
	// B is another question.
	B elicit.Confirm
}

// Save is the tool under test.
//
//jp:tool
func (s *Store) Save(ctx context.Context, in kit.Thing, ask SaveQuestions) (string, error) {
	sure := ask.A
	if in.Name == "" {
		sure = ask.B
	}
	if ok, err := sure.Ask(ctx, "Save?"); err != nil || !ok {
		return "", err
	}
	return "", nil
}
