// caught by: vet JP713

// Package loop06 calls a helper in another package that asks.
package loop06

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
func (s *Store) Save(ctx context.Context, in kit.Things, ask kit.Sure) (string, error) {
	for _, name := range in.Names {
		if ok, err := disk.Sure(ctx, ask.Sure, name); err != nil || !ok {
			return "", err
		}
	}
	return "saved", nil
}
