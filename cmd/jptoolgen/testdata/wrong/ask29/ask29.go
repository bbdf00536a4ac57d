// caught by: vet JP711

// Package ask29 turns every error into a success in a deferred function.
package ask29

import (
	"context"
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
func (s *Store) Save(ctx context.Context, in kit.Thing, ask kit.Sure) (text string, err error) {
	defer func() {
		if err != nil {
			text, err = "failed", nil
		}
	}()
	ok, err := ask.Sure.Ask(ctx, "Save %s?", in.Name)
	if err != nil {
		return "", err
	}
	return fmt.Sprint(ok), nil
}
