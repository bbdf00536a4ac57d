// caught by: vet JP711

// Package ask05 stores the error in the server and never reads it.
package ask05

import (
	"context"

	"example.com/wrong/kit"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct {
	last error
}

// Save is the tool under test.
//
//jp:tool
func (s *Store) Save(ctx context.Context, in kit.Thing, ask kit.Sure) (string, error) {
	ok, err := ask.Sure.Ask(ctx, "Save %s?", in.Name)
	if err != nil {
		s.last = err
	}
	if !ok {
		return "not saved", nil
	}
	return "saved", nil
}
