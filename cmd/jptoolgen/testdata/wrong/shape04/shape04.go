// caught by: generator JP405

// Package shape04 has a tool on another type.
package shape04

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
	ok, err := ask.Sure.Ask(ctx, "Save %s?", in.Name)
	if err != nil {
		return "", err
	}
	if !ok {
		return "not saved", nil
	}
	return "saved " + in.Name, nil
}

// Other is a type without a server.
type Other struct{}

// Peek looks at a thing.
//
//jp:tool
func (Other) Peek(context.Context) (string, error) { return "", nil }
