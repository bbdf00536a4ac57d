// caught by: vet JP718

// Package path06 passes the path to another package.
package path06

import (
	"context"

	"example.com/wrong/kit"
	"example.com/wrong/kit/disk"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct{}

// Save is the tool under test.
//
//jp:tool
func (s *Store) Save(ctx context.Context, in kit.File) (string, error) {
	data, err := disk.Read(in.Path)
	return string(data), err
}
