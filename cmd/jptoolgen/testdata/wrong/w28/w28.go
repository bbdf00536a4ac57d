// caught by: vet JP702

// Package w28 asks in a goroutine.
package w28

import (
	"context"

	"example.com/wrong/kit"

	"github.com/jptool/jptool/sdk/fault"
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
		ok, err := ask.Sure.Ask(ctx, "Save %s?", in.Name)
		if err == nil && !ok {
			err = fault.New(fault.InvalidInput, "not saved")
		}
		failed <- err
	}()
	return "saved", <-failed
}
