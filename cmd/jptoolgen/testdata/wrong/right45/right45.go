// caught by: nothing (control)

// Package right45 asks only if an argument is missing.
package right45

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
func (s *Store) Save(ctx context.Context, in kit.Thing, ask kit.Name) (string, error) {
	name := in.Name
	if name == "" {
		answer, err := ask.Name.Ask(ctx, "Name?")
		if err != nil {
			return "", err
		}
		name = answer
	}
	return "saved " + name, nil
}
