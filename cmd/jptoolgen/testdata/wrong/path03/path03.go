// caught by: vet JP718

// Package path03 checks the path for dots.
package path03

import (
	"context"
	"os"
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
	if strings.Contains(in.Path, "..") {
		return "", fault.New(fault.InvalidInput, "no dots")
	}
	data, err := os.ReadFile("data/" + in.Path)
	return string(data), err
}
