// caught by: compiler

// Package shape09 converts a struct to a question.
package shape09

import (
	"context"

	"github.com/jptool/jptool/sdk/elicit"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct{}

// Save is the tool under test.
//
//jp:tool
func (s *Store) Save(ctx context.Context) (string, error) {
	sure := elicit.Confirm{ID: "smuggled"}
	_, err := sure.Ask(ctx, "Really?")
	return "", err
}
