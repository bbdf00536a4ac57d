// caught by: vet JP715

// Package world09 calls another tool that writes.
package world09

import (
	"context"
	"os"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct{}

// Save is the tool under test.
//
//jp:tool readonly=true
func (s *Store) Save(ctx context.Context) (string, error) {
	return s.Write(ctx)
}

// Write writes a file.
//
//jp:tool readonly=false
func (s *Store) Write(context.Context) (string, error) { return "", os.WriteFile("x", nil, 0o600) }
