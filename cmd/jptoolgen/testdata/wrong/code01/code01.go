// caught by: vet JP720

// Package code01 returns its own error.
package code01

import (
	"context"
	"errors"

	"example.com/wrong/kit"
)

// Store keeps things.
//
//jp:server clients=mcp
type Store struct{}

// Save saves a thing.
//
//jp:tool
func (s *Store) Save(ctx context.Context, in kit.Thing) (string, error) {
	if in.Name == "" {
		return "", errors.New("a name is needed")
	}
	return "done", nil
}
