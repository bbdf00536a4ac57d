// caught by: generator JP413

// Package w20 creates a question as generated code does.
package w20

import (
	"context"

	"example.com/wrong/kit"

	"github.com/jptool/jptool/sdk/gen/bind"
	"github.com/jptool/jptool/sdk/gen/question"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct{}

// Save is the tool under test.
//
//jp:tool
func (s *Store) Save(ctx context.Context, in kit.Thing) (string, error) {
	sure := bind.Confirm(&question.Set{}, question.Spec{ID: "smuggled"})
	if _, err := sure.Ask(ctx, "Really?"); err != nil {
		return "", err
	}
	return in.Name, nil
}
