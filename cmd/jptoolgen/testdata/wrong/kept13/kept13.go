// caught by: run internal

// Package kept13 asks in a helper with the context of a branch.
package kept13

import (
	"context"

	"example.com/wrong/kit"

	"github.com/jptool/jptool/sdk/tool"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct{}

// Save is the tool under test.
//
//jp:tool
func (s *Store) Save(ctx context.Context, ask kit.Sure) (string, error) {
	branch := tool.Branch(ctx)
	return "", sure(branch, ask)
}

func sure(ctx context.Context, ask kit.Sure) error {
	if ok, err := ask.Sure.Ask(ctx, "Sure?"); err != nil || !ok {
		return err
	}
	return nil
}
