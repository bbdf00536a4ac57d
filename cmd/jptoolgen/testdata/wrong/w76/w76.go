// caught by: vet JP714

// Package w76 asks with text that differs between runs.
package w76

import (
	"context"
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
	if ok, err := ask.Sure.Ask(ctx, "Save %s at %s?", in.Name, time.Now()); err != nil || !ok {
		return "", err
	}
	return "saved", nil
}
