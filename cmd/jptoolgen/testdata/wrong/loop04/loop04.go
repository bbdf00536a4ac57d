// caught by: vet JP713

// Package loop04 tries three times.
package loop04

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
func (s *Store) Save(ctx context.Context, in kit.Thing, ask kit.Name) (string, error) {
	for range 3 {
		name, err := ask.Name.Ask(ctx, "Name?")
		if err != nil {
			return "", err
		}
		if name != in.Name {
			return name, nil
		}
	}
	return "", nil
}
