// caught by: vet JP715

// Package w73 writes a file in a read-only tool.
package w73

import (
	"context"
	"os"

	"example.com/wrong/kit"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct{}

// Save is the tool under test.
//
//jp:tool readonly=true
func (s *Store) Save(ctx context.Context, in kit.Thing) (string, error) {
	_ = os.WriteFile("x", nil, 0o600)
	return in.Name, nil
}
