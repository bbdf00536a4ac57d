// caught by: vet JP701

// Package ask20 treats a zero answer as no answer.
package ask20

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
func (s *Store) Save(ctx context.Context, ask kit.Name) (string, error) {
	name, err := ask.Name.Ask(ctx, "Name?")
	if name == "" {
		return "saved without a name", nil
	}
	return name, err
}
