// caught by: nothing (control)

// Package right28 accepts only names without folders.
package right28

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
//jp:tool
func (s *Store) Save(ctx context.Context, in kit.File) (string, error) {
	data, err := os.ReadFile(filepath.Join("data", filepath.Base(in.Path)))
	return string(data), err
}
