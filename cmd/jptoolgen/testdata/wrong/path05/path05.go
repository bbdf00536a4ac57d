// caught by: vet JP718

// Package path05 passes the path to a helper.
package path05

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
	return s.read(in.Path)
}

func (s *Store) read(name string) (string, error) {
	data, err := os.ReadFile("data/" + name + ".txt")
	return string(data), err
}
