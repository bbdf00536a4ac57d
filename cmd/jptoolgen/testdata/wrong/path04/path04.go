// caught by: vet JP718

// Package path04 checks the prefix of the path.
package path04

import (
	"context"
	"os"
	"path/filepath"
	"strings"

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
	path := filepath.Clean(filepath.Join("data", in.Path))
	if !strings.HasPrefix(path, "data") {
		return "", fault.New(fault.InvalidInput, "not in data")
	}
	return "", os.Remove(path)
}
