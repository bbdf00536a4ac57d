// caught by: nothing (control)

// Package right15 measures its run time.
package right15

import (
	"context"
	"log/slog"
	"time"

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
	begun := time.Now()
	defer func() { slog.Info("saved", "took", time.Since(begun)) }()
	ok, err := ask.Sure.Ask(ctx, "Save %s?", in.Name)
	if err != nil {
		return "", err
	}
	if !ok {
		return "not saved", nil
	}
	return "saved " + in.Name, nil
}
