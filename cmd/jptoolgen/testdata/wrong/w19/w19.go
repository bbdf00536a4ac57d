// caught by: vet JP723

// Package w19 creates and asks a question in a tool that declares none.
package w19

import (
	"context"

	"example.com/wrong/kit"

	"github.com/jptool/jptool/sdk/elicit"
)

// Store keeps things.
//
//jp:server clients=mcp
type Store struct{}

// Save saves a thing.
//
//jp:tool
func (s *Store) Save(ctx context.Context, in kit.Thing) (string, error) {
	if _, err := (elicit.Confirm{}).Ask(ctx, "Really?"); err != nil {
		return "", err
	}
	return in.Name, nil
}
