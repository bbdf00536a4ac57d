// caught by: nothing (control)

// Package right47 asks through an interface.
package right47

import (
	"context"

	"example.com/wrong/kit"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct {
	asker interface {
		Ask(context.Context, kit.Name) (string, error)
	}
}

// Save is the tool under test.
//
//jp:tool
func (s *Store) Save(ctx context.Context, ask kit.Name) (string, error) {
	return s.asker.Ask(ctx, ask)
}
