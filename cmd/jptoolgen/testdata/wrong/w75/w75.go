// caught by: vet JP707

// Package w75 asks a question only in dead code.
package w75

import (
	"context"

	"example.com/wrong/kit"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct{}

// Save is the tool under test.
//
//jp:tool
func (s *Store) Save(ctx context.Context, in kit.Thing, ask kit.Sure) (string, error) {
	if false {
		if _, err := ask.Sure.Ask(ctx, "Sure?"); err != nil {
			return "", err
		}
	}
	return in.Name, nil
}
