// caught by: vet JP714

// Package when09 asks about each thing in a map.
package when09

import (
	"context"

	"example.com/wrong/kit"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct {
	things map[string]int
}

// Save is the tool under test.
//
//jp:tool
func (s *Store) Save(ctx context.Context, ask kit.Sure) (string, error) {
	for name := range s.things {
		if ok, err := ask.Sure.For(name).Ask(ctx, "Save %s?", name); err != nil || !ok {
			return "", err
		}
	}
	return "saved", nil
}
