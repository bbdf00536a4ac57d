// caught by: vet JP713

// Package loop03 asks until the name is good.
package loop03

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
	for {
		name, err := ask.Name.Ask(ctx, "Name?")
		if err != nil {
			return "", err
		}
		if len(name) > 2 {
			return name, nil
		}
	}
}
