// caught by: vet JP715

// Package world02 writes through another package.
package world02

import (
	"context"

	"example.com/wrong/kit"
	"example.com/wrong/kit/disk"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct{}

// Save is the tool under test.
//
//jp:tool readonly=true
func (s *Store) Save(ctx context.Context, in kit.Thing) (string, error) {
	if err := disk.Save(in.Name); err != nil {
		return "", err
	}
	return "done", nil
}
