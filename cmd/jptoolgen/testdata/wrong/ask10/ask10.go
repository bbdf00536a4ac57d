// caught by: vet JP701

// Package ask10 uses the answer that a helper returns, but not its error.
package ask10

import (
	"context"

	"example.com/wrong/kit"
	"example.com/wrong/kit/disk"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct{}

// Save is the tool under test.
//
//jp:tool
func (s *Store) Save(ctx context.Context, in kit.Thing, ask kit.Sure) (string, error) {
	ok, _ := disk.Sure(ctx, ask.Sure, in.Name)
	if ok {
		return "saved", nil
	}
	return "not saved", nil
}
