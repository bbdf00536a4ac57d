// caught by: nothing (control)

// Package right12 sorts the keys of a map.
package right12

import (
	"context"
	"maps"
	"slices"

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
	return ask.Pick.Among(slices.Sorted(maps.Keys(s.things))...).Ask(ctx, "Which?")
}
