// caught by: generator JP104

// Package shape03 has a directive on a function.
package shape03

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

// Peek looks at a thing.
//
//jp:tool
func Peek(context.Context) (string, error) { return "", nil }
