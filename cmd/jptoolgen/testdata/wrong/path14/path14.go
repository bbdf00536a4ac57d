// caught by: vet JP718

// Package path14 reads any environment variable.
package path14

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
func (s *Store) Save(ctx context.Context, in kit.Thing) (string, error) {
	return os.Getenv(in.Name), nil
}
