// caught by: vet JP714

// Package when03 asks about a random subject.
package when03

import (
	"context"
	crand "crypto/rand"

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
	id := crand.Text()
	if ok, err := ask.Sure.For(id).Ask(ctx, "Save %s?", in.Name); err != nil || !ok {
		return "", err
	}
	return id, nil
}
