// caught by: vet JP714

// Package when12 asks only in some runs.
package when12

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
	if rand.IntN(10) == 0 {
		if ok, err := ask.Sure.Ask(ctx, "Do you like %s?", in.Name); err != nil || !ok {
			return "", err
		}
	}
	return "saved", nil
}
