// caught by: vet JP713

// Package w45 asks the same question about several things.
package w45

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
func (s *Store) Save(ctx context.Context, in kit.Things, ask kit.Sure) (string, error) {
	for _, name := range in.Names {
		if ok, err := ask.Sure.Ask(ctx, "Save %s?", name); err != nil || !ok {
			return "", err
		}
	}
	return "saved", nil
}
