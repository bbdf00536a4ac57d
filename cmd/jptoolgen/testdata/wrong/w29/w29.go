// caught by: run internal

// Package w29 asks in a branch.
package w29

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
func (s *Store) Save(ctx context.Context, in kit.Thing, ask kit.Sure) (string, error) {
	if ok, err := ask.Sure.Ask(tool.Branch(ctx), "Save %s?", in.Name); err != nil || !ok {
		return "", err
	}
	return "saved", nil
}
