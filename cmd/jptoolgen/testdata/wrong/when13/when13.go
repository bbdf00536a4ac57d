// caught by: vet JP714

// Package when13 calls a helper that returns the time.
package when13

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
	if ok, err := ask.Sure.Ask(ctx, "Save %s (%s)?", in.Name, stamp()); err != nil || !ok {
		return "", err
	}
	return "saved", nil
}

func stamp() string { return time.Now().UTC().Format(time.DateTime) }
