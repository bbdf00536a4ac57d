// caught by: vet JP715

// Package world10 writes within tool.Once in a read-only tool.
package world10

import (
	"context"
	"os"

	"github.com/jptool/jptool/sdk/tool"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct{}

// Save is the tool under test.
//
//jp:tool readonly=true
func (s *Store) Save(ctx context.Context) (string, error) {
	if _, err := tool.Once(ctx, "mark", func(context.Context) (bool, error) { return true, os.WriteFile("mark", nil, 0o600) }); err != nil {
		return "", err
	}
	return "done", nil
}
