// caught by: vet JP711

// Package ask09 drops the error of a helper.
package ask09

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
	if err := sure(ctx, ask, in.Name); err != nil {
		return "not saved", nil
	}
	return "saved", nil
}

func sure(ctx context.Context, ask kit.Sure, name string) error {
	if ok, err := ask.Sure.Ask(ctx, "Save %s?", name); err != nil || !ok {
		return err
	}
	return nil
}
