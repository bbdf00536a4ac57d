// caught by: nothing (control)

// Package right10 asks once in a loop.
package right10

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
func (s *Store) Save(ctx context.Context, in kit.Things, ask kit.Sure) (string, error) {
	asked := false
	for _, name := range in.Names {
		if len(name) > 20 && !asked {
			if ok, err := ask.Sure.Ask(ctx, "Save long names?"); err != nil || !ok {
				return "", err
			}
			asked = true
		}
	}
	return "saved", nil
}
