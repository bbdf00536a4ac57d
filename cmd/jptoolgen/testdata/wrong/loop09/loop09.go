// caught by: vet JP713

// Package loop09 passes a callback to a helper that repeats it.
package loop09

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
	return "", each(in.Names, func(name string) error {
		if ok, err := ask.Sure.Ask(ctx, "Keep %s?", name); err != nil || !ok {
			return err
		}
		return nil
	})
}

func each(names []string, do func(string) error) error {
	for _, name := range names {
		if err := do(name); err != nil {
			return err
		}
	}
	return nil
}
