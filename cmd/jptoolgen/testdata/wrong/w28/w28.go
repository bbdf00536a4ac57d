// caught by: vet JP702

// Package w28 asks in a goroutine.
package w28

import (
	"context"

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
	failed := make(chan error, 1)
	go func() {
		_, err := ask.Sure.Ask(ctx, "Save %s?", in.Name)
		failed <- err
	}()
	return "saved", <-failed
}
