// caught by: vet JP711

// Package ask25 discards the error from the question by setting its variable to nil.
package ask25

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
	ok, err := ask.Sure.Ask(ctx, "Remove %s?", in.Name)
	if err == nil && ok {
		err = disk.Save(in.Name)
	} else {
		err = nil
	}
	return "", err
}
