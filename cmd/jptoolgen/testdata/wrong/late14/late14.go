// caught by: run internal

// Package late14 uses one key of tool.Once for two values.
package late14

import (
	"context"

	"github.com/jptool/jptool/sdk/tool"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct{}

// Save is the tool under test.
//
//jp:tool
func (s *Store) Save(ctx context.Context) (string, error) {
	first, err := tool.Once(ctx, "id", func(context.Context) (string, error) { return "a", nil })
	if err != nil {
		return "", err
	}
	second, err := tool.Once(ctx, "id", func(context.Context) (string, error) { return "b", nil })
	return first + second, err
}
