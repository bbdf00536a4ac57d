// caught by: vet JP718

// Package path07 opens a root directory that the caller names.
package path07

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
//jp:tool
func (s *Store) Save(ctx context.Context, in kit.File) (string, error) {
	root, err := os.OpenRoot(in.Path)
	if err != nil {
		return "", err
	}
	defer root.Close()
	data, err := root.ReadFile("README")
	return string(data), err
}
