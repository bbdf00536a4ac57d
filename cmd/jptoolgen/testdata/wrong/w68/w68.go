// caught by: nothing (control)

// Package w68 passes its questions to a helper.
package w68

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
	return save(ctx, ask, in.Name)
}

func save(ctx context.Context, ask kit.Sure, name string) (string, error) {
	if ok, err := ask.Sure.Ask(ctx, "Save %s?", name); err != nil || !ok {
		return "", err
	}
	return name, nil
}
