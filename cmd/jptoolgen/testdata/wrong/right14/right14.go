// caught by: nothing (control)

// Package right14 keeps a random value.
package right14

import (
	"context"
	crand "crypto/rand"

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
	id, err := tool.Once(ctx, "id", func(context.Context) (string, error) { return crand.Text(), nil })
	if err != nil {
		return "", err
	}
	if ok, err := ask.Sure.Ask(ctx, "Save %s as %s?", in.Name, id); err != nil || !ok {
		return "", err
	}
	return id, nil
}
