// caught by: nothing (control)

// Package right19 has a cache.
package right19

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
	if err := keep(in.Name); err != nil {
		return "", err
	}
	return in.Name, nil
}

// keep writes a file that can be computed again.
//
//jp:allow JP715 reason="a cache"
func keep(name string) error { return os.WriteFile("cache-"+filepath.Base(name), nil, 0o600) }
