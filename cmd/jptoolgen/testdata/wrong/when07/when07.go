// caught by: vet JP714

// Package when07 offers values in the order of a map.
package when07

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
func (s *Store) Save(ctx context.Context, ask kit.Picks) (string, error) {
	var names []string
	for name := range s.things {
		names = append(names, name)
	}
	return ask.Pick.Among(names...).Ask(ctx, "Which?")
}
