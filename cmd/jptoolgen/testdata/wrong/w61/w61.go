// caught by: vet JP711

// Package w61 logs the error from a question, and continues.
package w61

import (
	"context"
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
	ok, err := ask.Sure.Ask(ctx, "Save %s?", in.Name)
	if err != nil {
		slog.Error("not asked", "error", err)
	}
	if !ok {
		return "not saved", nil
	}
	return "saved", nil
}
