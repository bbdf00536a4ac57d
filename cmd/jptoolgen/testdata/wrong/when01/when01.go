// caught by: vet JP714

// Package when01 shows the age of a thing.
package when01

import (
	"context"
	"time"

	"example.com/wrong/kit"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct {
	started time.Time
}

// Save is the tool under test.
//
//jp:tool
func (s *Store) Save(ctx context.Context, in kit.Thing, ask kit.Sure) (string, error) {
	if ok, err := ask.Sure.Ask(ctx, "Save %s, %s old?", in.Name, time.Since(s.started)); err != nil || !ok {
		return "", err
	}
	return "saved", nil
}
