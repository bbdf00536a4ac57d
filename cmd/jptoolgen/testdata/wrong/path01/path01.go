// caught by: vet JP718

// Package path01 reads any file.
package path01

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
func (s *Store) Save(ctx context.Context, in kit.File) (string, error) {
	data, err := os.ReadFile(in.Path)
	return string(data), err
}
