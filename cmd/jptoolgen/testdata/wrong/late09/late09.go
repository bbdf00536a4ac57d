// caught by: vet JP702

// Package late09 asks in goroutines that an interface starts.
package late09

import (
	"context"

	"example.com/wrong/kit"

	"github.com/jptool/jptool/sdk/fault"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct {
	pool interface{ Go(func()) }
}

// Save is the tool under test.
//
//jp:tool
func (s *Store) Save(ctx context.Context, in kit.Thing, ask kit.Sure) (string, error) {
	failed := make(chan error, 1)
	s.pool.Go(func() {
		ok, err := ask.Sure.Ask(ctx, "Save %s?", in.Name)
		if err == nil && !ok {
			err = fault.New(fault.InvalidInput, "not saved")
		}
		failed <- err
	})
	return "saved", <-failed
}
