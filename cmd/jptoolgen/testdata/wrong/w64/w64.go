// caught by: vet JP711 JP720

// Package w64 replaces the error from a question.
package w64

import (
	"context"
	"errors"

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
		return "", errors.New("no")
	}
	return "saved", nil
}
