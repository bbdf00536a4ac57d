// caught by: vet JP711

// Package ask24 passes the error to a helper that logs it.
package ask24

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
	if ok, err := ask.Sure.Ask(ctx, "Save %s?", in.Name); err != nil || !ok {
		report(err)
	}
	return "saved", nil
}

func report(err error) { slog.Error("failed", "error", err) }
