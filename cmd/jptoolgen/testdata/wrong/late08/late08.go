// caught by: vet JP714

// Package late08 reads the time through an interface.
package late08

import (
	"context"
	"time"

	"example.com/wrong/kit"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct {
	clock interface{ Now() time.Time }
}

// Save is the tool under test.
//
//jp:tool
func (s *Store) Save(ctx context.Context, in kit.Thing, ask kit.Sure) (string, error) {
	if ok, err := ask.Sure.Ask(ctx, "Save %s at %s?", in.Name, s.clock.Now()); err != nil || !ok {
		return "", err
	}
	return "saved", nil
}
