// caught by: vet JP720

// Package code03 wraps an error without giving it a code.
package code03

import (
	"context"
	"encoding/json"
	"fmt"

	"example.com/wrong/kit"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct{}

// Save is the tool under test.
//
//jp:tool
func (s *Store) Save(ctx context.Context, in kit.Thing) (string, error) {
	var v any
	if err := json.Unmarshal([]byte(in.Name), &v); err != nil {
		return "", fmt.Errorf("reading %s: %w", in.Name, err)
	}
	return "done", nil
}
