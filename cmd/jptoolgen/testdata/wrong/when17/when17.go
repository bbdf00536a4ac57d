// caught by: vet JP714

// Package when17 shows the id of the run.
package when17

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
func (s *Store) Save(ctx context.Context, in kit.Thing, ask kit.Sure, call *tool.Call) (string, error) {
	if ok, err := ask.Sure.Ask(ctx, "Save %s (%s)?", in.Name, call.ID()); err != nil || !ok {
		return "", err
	}
	return "saved", nil
}
