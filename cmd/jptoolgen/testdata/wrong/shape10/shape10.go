// caught by: compiler

// Package shape10 passes a question to a helper for another kind.
package shape10

import (
	"context"

	"example.com/wrong/kit"

	"github.com/jptool/jptool/sdk/elicit"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct{}

// Save is the tool under test.
//
//jp:tool
func (s *Store) Save(ctx context.Context, ask kit.Name) (string, error) {
	return "", sure(ctx, ask.Name)
}

func sure(ctx context.Context, ask elicit.Confirm) error {
	_, err := ask.Ask(ctx, "Sure?")
	return err
}
