// caught by: vet JP713

// Package late04 asks recursively, without end.
package late04

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
	return "", s.again(ctx, ask, in.Name)
}

func (s *Store) again(ctx context.Context, ask kit.Sure, name string) error {
	if ok, err := ask.Sure.Ask(ctx, "Again %s?", name); err != nil || !ok {
		return err
	}
	return s.again(ctx, ask, name+"!")
}
