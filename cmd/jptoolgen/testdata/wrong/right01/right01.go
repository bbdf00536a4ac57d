// caught by: nothing (control)

// Package right01 wraps the error and returns it.
package right01

import (
	"context"
	"fmt"

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
	ok, err := ask.Sure.Ask(ctx, "Save %s?", in.Name)
	if err != nil {
		return "", fmt.Errorf("saving %s: %w", in.Name, err)
	}
	if !ok {
		return "not saved", nil
	}
	return "saved", nil
}
