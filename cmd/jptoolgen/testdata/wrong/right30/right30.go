// caught by: nothing (control)

// Package right30 checks its names.
package right30

import (
	"context"
	"os"
	"path/filepath"

	"example.com/wrong/kit"

	"github.com/jptool/jptool/sdk/fault"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct{}

// Save is the tool under test.
//
//jp:tool
func (s *Store) Save(ctx context.Context, in kit.File) (string, error) {
	if !filepath.IsLocal(in.Path) {
		return "", fault.New(fault.InvalidInput, "a path below data")
	}
	data, err := os.ReadFile(filepath.Join("data", in.Path))
	return string(data), err
}
