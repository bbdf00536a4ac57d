// caught by: vet JP718

// Package path09 reads all files of a list.
package path09

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
func (s *Store) Save(ctx context.Context, in kit.Things) (string, error) {
	for _, name := range in.Names {
		if _, err := os.Stat(name); err != nil {
			return "", err
		}
	}
	return "there", nil
}
