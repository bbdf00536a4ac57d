// caught by: nothing (control)

// Package right09 asks about each value of an iterator.
package right09

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
func (s *Store) Save(ctx context.Context, in kit.Things, ask kit.Sure) (string, error) {
	for name := range slices.Values(in.Names) {
		if ok, err := ask.Sure.For(name).Ask(ctx, "Save %s?", name); err != nil || !ok {
			return "", err
		}
	}
	return "saved", nil
}
