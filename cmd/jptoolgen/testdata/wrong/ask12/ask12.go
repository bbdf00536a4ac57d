// caught by: vet JP711

// Package ask12 acknowledges unanswered questions, but ignores other errors.
package ask12

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
	if elicit.Acknowledge(err) {
		name = ""
	}
	return "saved " + name, nil
}
