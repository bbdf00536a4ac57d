// caught by: vet JP718

// Package path15 has its path in a struct.
package path15

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
	return load(request{path: in.Path})
}

type request struct{ path string }

func load(r request) (string, error) {
	data, err := os.ReadFile(r.path)
	return string(data), err
}
