// caught by: vet JP713

// Package loop05 calls a helper that asks.
package loop05

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
		if err := s.sure(ctx, ask, name); err != nil {
			return "", err
		}
	}
	return "saved", nil
}

func (s *Store) sure(ctx context.Context, ask kit.Sure, name string) error {
	if ok, err := ask.Sure.Ask(ctx, "Save %s?", name); err != nil || !ok {
		return err
	}
	return nil
}
