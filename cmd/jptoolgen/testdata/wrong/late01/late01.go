// caught by: vet JP713

// Package late01 asks one question with two messages.
package late01

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
	if ok, err := ask.Sure.Ask(ctx, "Save %s?", in.Name); err != nil || !ok {
		return "", err
	}
	if ok, err := ask.Sure.Ask(ctx, "Really save %s?", in.Name); err != nil || !ok {
		return "", err
	}
	return "saved", nil
}
