// caught by: vet JP711

// Package ask07 skips declined questions, and ignores all other errors too.
package ask07

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
func (s *Store) Save(ctx context.Context, in kit.Things, ask kit.Sure) (string, error) {
	for _, name := range in.Names {
		ok, err := ask.Sure.For(name).Ask(ctx, "Save %s?", name)
		if err != nil || !ok {
			continue
		}
		slog.Info("saved", "name", name)
	}
	return "saved", nil
}
