// caught by: vet JP723

// Package kept09 calls another tool with zero questions.
package kept09

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
func (s *Store) Save(ctx context.Context) (string, error) {
	return s.Drop(ctx, kit.Sure{})
}

// Drop removes all things.
//
//jp:tool destructive=true
func (s *Store) Drop(ctx context.Context, ask kit.Sure) (string, error) {
	if ok, err := ask.Sure.Ask(ctx, "Drop everything?"); err != nil || !ok {
		return "", err
	}
	return "dropped", nil
}
