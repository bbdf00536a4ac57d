// caught by: vet JP713

// Package loop02 shows different values, but asks under one id.
package loop02

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
		if ok, err := ask.Sure.Preamble(name).Ask(ctx, "Save it?"); err != nil || !ok {
			return "", err
		}
	}
	return "saved", nil
}
