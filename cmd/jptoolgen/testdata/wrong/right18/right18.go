// caught by: nothing (control)

// Package right18 works on temporary files.
package right18

import (
	"context"
	"os"
	"path/filepath"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct{}

// Save is the tool under test.
//
//jp:tool readonly=true openworld=false
func (s *Store) Save(ctx context.Context) (string, error) {
	dir, err := os.MkdirTemp("", "save")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, "x"), nil, 0o600); err != nil {
		return "", err
	}
	return "done", nil
}
