// caught by: vet JP711

// Package ask16 returns an unrelated error.
package ask16

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
	ok, err := ask.Sure.Ask(ctx, "Save %s?", in.Name)
	if err != nil || !ok {
		if err := disk.Save(in.Name); err != nil {
			return "", err
		}
	}
	return "saved", nil
}
