// caught by: vet JP718

// Package path02 joins the root directory and the path.
package path02

import (
	"context"
	"os"
	"path/filepath"

	"example.com/wrong/kit"

	"github.com/jptool/jptool/sdk/tool"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct{}

// Save is the tool under test.
//
//jp:tool
func (s *Store) Save(ctx context.Context, in kit.File, call *tool.Call) (string, error) {
	data, err := os.ReadFile(filepath.Join(call.Root(), in.Path))
	return string(data), err
}
