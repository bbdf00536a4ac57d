// caught by: vet JP719

// Package word01 has a case that never matches.
package word01

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
	switch how {
	case "keep":
		return "kept", nil
	case "overwrite":
		return "overwritten", nil
	}
	return "replaced", nil
}
