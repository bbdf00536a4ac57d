// caught by: vet JP720

// Package code01 returns its own error.
package code01

import (
	"context"
	"errors"

	"example.com/wrong/kit"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct{}

// Save is the tool under test.
//
//jp:tool
func (s *Store) Save(ctx context.Context, in kit.Thing) (string, error) {
	if in.Name == "" {
		return "", errors.New("a name is needed")
	}
	return "done", nil
}
