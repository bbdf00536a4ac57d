// caught by: nothing (control)

// Package right31 has a table of files.
package right31

import (
	"context"
	"os"

	"example.com/wrong/kit"

	"github.com/jptool/jptool/sdk/fault"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct{}

var files = map[string]string{"readme": "README.md"}

// Save is the tool under test.
//
//jp:tool
func (s *Store) Save(ctx context.Context, in kit.Thing) (string, error) {
	file, ok := files[in.Name]
	if !ok {
		return "", fault.New(fault.InvalidInput, "there is no %s", in.Name)
	}
	data, err := os.ReadFile(file)
	return string(data), err
}
