// caught by: nothing (control)

// Package right02 acknowledges that the question was not answered.
package right02

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
	name, err := ask.Name.Ask(ctx, "Name?")
	switch {
	case elicit.Acknowledge(err):
		return "saved without a name", nil
	case err != nil:
		return "", err
	}
	return "saved " + name, nil
}
