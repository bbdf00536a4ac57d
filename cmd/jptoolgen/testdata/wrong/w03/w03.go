// caught by: vet JP719

// Package w03 compares a choice with a string that is not a constant.
package w03

import (
	"context"

	"example.com/wrong/kit"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct{}

// Save is the tool under test.
//
//jp:tool
func (s *Store) Save(ctx context.Context, in kit.Thing, ask kit.Hows) (string, error) {
	how, err := ask.How.Ask(ctx, "How?")
	if err != nil {
		return "", err
	}
	if how == "merge" {
		return "merged", nil
	}
	return "kept", nil
}
