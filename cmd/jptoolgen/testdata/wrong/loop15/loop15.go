// caught by: vet JP713

// Package loop15 uses the first name as the subject of all questions.
package loop15

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
	for range in.Names {
		if ok, err := ask.Sure.For(in.Names[0]).Ask(ctx, "Save?"); err != nil || !ok {
			return "", err
		}
	}
	return "saved", nil
}
