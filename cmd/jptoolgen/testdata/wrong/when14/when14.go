// caught by: vet JP714

// Package when14 calls a helper in another package that returns the time.
package when14

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
	if ok, err := ask.Sure.Ask(ctx, "Save %s (%s)?", in.Name, disk.Stamp()); err != nil || !ok {
		return "", err
	}
	return "saved", nil
}
