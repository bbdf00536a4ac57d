// caught by: nothing (control)

// Package right22 writes once before it asks.
package right22

import (
	"context"
	"os"

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
	if _, err := tool.Once(ctx, "draft", func(context.Context) (bool, error) { return true, os.WriteFile("draft", nil, 0o600) }); err != nil {
		return "", err
	}
	ok, err := ask.Sure.Ask(ctx, "Save %s?", in.Name)
	if err != nil {
		return "", err
	}
	if !ok {
		return "not saved", nil
	}
	return "saved " + in.Name, nil
}
