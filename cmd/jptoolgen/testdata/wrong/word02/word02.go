// caught by: vet JP719

// Package word02 compares a value with a constant in a different letter case.
package word02

import (
	"context"

	"example.com/wrong/kit"
)

// Store keeps things.
//
//jp:server clients=mcp
type Store struct{}

// Save saves a thing.
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
