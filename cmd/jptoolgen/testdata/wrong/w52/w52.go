// caught by: vet JP715 JP718

// Package w52 removes a file in a read-only tool.
package w52

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
	if err := os.Remove(in.Name); err != nil {
		return "", err
	}
	return in.Name, nil
}
