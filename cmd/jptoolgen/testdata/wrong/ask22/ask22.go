// caught by: vet JP711

// Package ask22 asks through a method value and ignores the results.
package ask22

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
	confirm := ask.Sure.Ask
	if ok, err := confirm(ctx, "Save %s?", in.Name); err != nil || !ok {
		slog.Warn("not asked", "error", err)
	}
	return "saved", nil
}
