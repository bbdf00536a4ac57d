// caught by: nothing (control)

// Package right07 returns the answer and the error unchanged.
package right07

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
func (s *Store) Save(ctx context.Context, in kit.Thing, ask kit.Name) (string, error) {
	return ask.Name.Ask(ctx, "Name for %s?", in.Name)
}
