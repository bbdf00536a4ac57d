// caught by: vet JP722

// Package kept05 keeps a function that asks.
package kept05

import (
	"context"

	"example.com/wrong/kit"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct {
	later func(context.Context) error
}

// Save is the tool under test.
//
//jp:tool
func (s *Store) Save(ctx context.Context, in kit.Thing, ask kit.Sure) (string, error) {
	s.later = func(ctx context.Context) error {
		if ok, err := ask.Sure.Ask(ctx, "Later?"); err != nil || !ok {
			return err
		}
		return nil
	}
	ok, err := ask.Sure.Ask(ctx, "Save %s?", in.Name)
	if err != nil {
		return "", err
	}
	if !ok {
		return "not saved", nil
	}
	return "saved " + in.Name, nil
}
