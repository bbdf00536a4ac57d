// caught by: vet JP719

// Package word02 compares a value with a constant in a different letter case.
package word02

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
func (s *Store) Save(ctx context.Context, ask kit.Hows) (string, error) {
	how, err := ask.How.Ask(ctx, "How?")
	if err != nil {
		return "", err
	}
	if how == "Keep" {
		return "kept", nil
	}
	return "replaced", nil
}
