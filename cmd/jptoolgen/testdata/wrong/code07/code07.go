// caught by: vet JP720

// Package code07 has a helper that fails without a code.
package code07

import (
	"context"
	"fmt"

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
	return s.find(in.Name)
}

func (s *Store) find(name string) (string, error) {
	if name == "x" {
		return "", fmt.Errorf("there is no %s", name)
	}
	return name, nil
}
