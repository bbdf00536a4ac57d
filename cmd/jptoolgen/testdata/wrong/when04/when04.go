// caught by: vet JP714

// Package when04 numbers the question with a random number.
package when04

import (
	"context"
	"math/rand/v2"

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
	if ok, err := ask.Sure.Ask(ctx, "Save %s as %d?", in.Name, rand.IntN(100)); err != nil || !ok {
		return "", err
	}
	return "saved", nil
}
