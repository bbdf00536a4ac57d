// caught by: vet JP711

// Package ask31 asks through an interface, and returns a default for errors.
package ask31

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
func (s *Store) Save(ctx context.Context, ask kit.Name) (string, error) {
	return orElse(ctx, ask.Name, "untitled"), nil
}

type asker interface {
	Ask(ctx context.Context, format string, args ...any) (string, error)
}

func orElse(ctx context.Context, ask asker, otherwise string) string {
	name, err := ask.Ask(ctx, "Name?")
	if err != nil {
		return otherwise
	}
	return name
}
