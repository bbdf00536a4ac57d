// caught by: nothing (control)

// Package right29 has a pattern for its names.
package right29

import (
	"context"
	"os"
	"path/filepath"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct{}

// SaveInput holds the arguments of Save.
type SaveInput struct {
	// Name of the thing.
	Name string `json:"name" jsonschema:"pattern=^[a-z]+$"`
}

// Save is the tool under test.
//
//jp:tool
func (s *Store) Save(ctx context.Context, in SaveInput) (string, error) {
	data, err := os.ReadFile(filepath.Join("data", in.Name))
	return string(data), err
}
