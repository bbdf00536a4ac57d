// caught by: vet JP711

// Package ask23 replaces the error in a helper.
package ask23

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
//jp:fails state
func (s *Store) Save(ctx context.Context, in kit.Thing, ask kit.Sure) (string, error) {
	if ok, err := ask.Sure.Ask(ctx, "Save %s?", in.Name); err != nil || !ok {
		return "", failure(err)
	}
	return "saved", nil
}

func failure(err error) error { return fault.New(fault.State, "not saved: %s", err) }
