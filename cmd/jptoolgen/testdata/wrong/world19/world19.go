// caught by: vet JP704

// Package world19 calls a function from a table that writes before it asks.
package world19

import (
	"context"
	"os"

	"example.com/wrong/kit"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct{}

var steps = []struct{ run func() error }{{run: mark}}

func mark() error { return os.WriteFile("mark", nil, 0o600) }

// Save is the tool under test.
//
//jp:tool
func (s *Store) Save(ctx context.Context, in kit.Thing, ask kit.Sure) (string, error) {
	for _, step := range steps {
		if err := step.run(); err != nil {
			return "", err
		}
	}
	ok, err := ask.Sure.Ask(ctx, "Save %s?", in.Name)
	if err != nil {
		return "", err
	}
	if !ok {
		return "not saved", nil
	}
	return "saved " + in.Name, nil
}
