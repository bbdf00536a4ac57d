// caught by: generator JP404

// Package w67 takes two questions structs.
package w67

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
func (s *Store) Save(ctx context.Context, in kit.Thing, ask kit.Sure, also kit.Name) (string, error) {
	if _, err := ask.Sure.Ask(ctx, "Save %s?", in.Name); err != nil {
		return "", err
	}
	return "saved", nil
}
