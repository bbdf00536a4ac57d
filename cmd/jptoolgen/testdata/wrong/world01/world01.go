// caught by: vet JP715

// Package world01 writes through a helper.
package world01

import (
	"context"
	"os"
	"path/filepath"

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
	if err := s.keep(in.Name); err != nil {
		return "", err
	}
	return "done", nil
}

func (s *Store) keep(name string) error { return os.WriteFile("last-"+filepath.Base(name), nil, 0o600) }
