// caught by: vet JP718

// Package path08 walks a folder that the caller names.
package path08

import (
	"context"
	"fmt"
	"io/fs"
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
	n := 0
	err := filepath.WalkDir(in.Path, func(string, fs.DirEntry, error) error { n++; return nil })
	return fmt.Sprint(n), err
}
