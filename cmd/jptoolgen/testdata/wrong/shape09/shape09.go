// caught by: compiler

// Package shape09 converts a struct to a question.
package shape09

import (
	"context"

	"github.com/jptool/jptool/sdk/elicit"
)

// Store keeps things.
//
//jp:server clients=mcp
type Store struct{}

// Save saves a thing.
//
//jp:tool
func (s *Store) Save(ctx context.Context) (string, error) {
	sure := elicit.Confirm{ID: "smuggled"}
	_, err := sure.Ask(ctx, "Really?")
	return "", err
}
