// caught by: vet JP719

// Package word06 looks for an answer in a list with an unknown value.
package word06

import (
	"context"
	"slices"

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
	if slices.Contains([]kit.How{"keep", "skip"}, how) {
		return "kept", nil
	}
	return "replaced", nil
}
