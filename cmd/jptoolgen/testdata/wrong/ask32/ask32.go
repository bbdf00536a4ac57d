// caught by: vet JP711

// Package ask32 asks through a generic helper that ignores errors.
package ask32

import (
	"context"
	"fmt"
	"log/slog"

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
	return fmt.Sprint(first(ask.Sure.Ask(ctx, "Save %s?", in.Name))), nil
}

func first[T any](v T, err error) T {
	if err != nil {
		slog.Warn("no answer", "error", err)
	}
	return v
}
