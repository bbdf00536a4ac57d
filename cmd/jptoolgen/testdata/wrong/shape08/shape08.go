// caught by: compiler

// Package shape08 asks a question without its format.
package shape08

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
func (s *Store) Save(ctx context.Context, ask kit.Sure) (string, error) {
	_, err := ask.Sure.Ask(ctx)
	return "", err
}
