// caught by: nothing (control)

// Package right33 returns file errors unchanged.
package right33

import (
	"context"
	"fmt"
	"os"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct{}

// Save is the tool under test.
//
//jp:tool
func (s *Store) Save(ctx context.Context) (string, error) {
	data, err := os.ReadFile("data.txt")
	if err != nil {
		return "", fmt.Errorf("reading: %w", err)
	}
	return string(data), ctx.Err()
}
