// caught by: vet JP715

// Package world06 makes a system call.
package world06

import (
	"context"
	"syscall"
)

// Store keeps things.
//
//jp:server clients=mcp
type Store struct{}

// Save saves a thing.
//
//jp:tool readonly=true
func (s *Store) Save(ctx context.Context) (string, error) {
	_ = syscall.Unlink("lock")
	return "done", nil
}
