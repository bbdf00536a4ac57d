// caught by: vet JP723

// Package w19 creates and asks a question in a tool that declares none.
package w19

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
func (s *Store) Save(ctx context.Context, in kit.Thing) (string, error) {
	if ok, err := (elicit.Confirm{}).Ask(ctx, "Really?"); err != nil || !ok {
		return "", err
	}
	return in.Name, nil
}
