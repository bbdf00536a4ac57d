// caught by: vet JP715

// Package world06 makes a system call.
package world06

import (
	"context"
	"syscall"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct{}

// Save is the tool under test.
//
//jp:tool readonly=true
func (s *Store) Save(ctx context.Context) (string, error) {
	_ = syscall.Unlink("lock")
	return "done", nil
}
