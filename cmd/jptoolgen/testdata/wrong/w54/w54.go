// caught by: vet JP714

// Package w54 asks a question that depends on the process.
package w54

import (
	"context"
	"os"

	"example.com/wrong/kit"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct{}

// Save is the tool under test.
//
//jp:tool
func (s *Store) Save(ctx context.Context, in kit.Thing, ask kit.Both) (string, error) {
	if os.Getpid()%2 == 0 {
		if _, err := ask.Name.Ask(ctx, "Name?"); err != nil {
			return "", err
		}
	}
	ok, err := ask.Sure.Ask(ctx, "Save %s?", in.Name)
	if err != nil {
		return "", err
	}
	if !ok {
		return "not saved", nil
	}
	return "saved " + in.Name, nil
}
