// caught by: vet JP714

// Package when06 prints an address.
package when06

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
func (s *Store) Save(ctx context.Context, in kit.Thing, ask kit.Sure) (string, error) {
	if ok, err := ask.Sure.Ask(ctx, "Save %s for %p?", in.Name, s); err != nil || !ok {
		return "", err
	}
	return "saved", nil
}
