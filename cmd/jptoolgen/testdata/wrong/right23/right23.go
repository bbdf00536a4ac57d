// caught by: nothing (control)

// Package right23 uses the files that the user grants.
package right23

import (
	"context"

	"example.com/wrong/kit"

	"github.com/jptool/jptool/sdk/tool"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct{}

// Save is the tool under test.
//
//jp:tool readonly=true openworld=false
func (s *Store) Save(ctx context.Context, in kit.File, call *tool.Call) (string, error) {
	files, err := call.Files()
	if err != nil {
		return "", err
	}
	data, err := files.ReadFile(in.Path)
	return string(data), err
}
