// caught by: nothing (control)

// Package right46 asks recursively about each thing.
package right46

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
func (s *Store) Save(ctx context.Context, in kit.Things, ask kit.Sure) (string, error) {
	return "", s.visit(ctx, ask.Sure, in.Names)
}

func (s *Store) visit(ctx context.Context, sure elicit.Confirm, names []string) error {
	if len(names) == 0 {
		return nil
	}
	if ok, err := sure.For(names[0]).Ask(ctx, "Keep %s?", names[0]); err != nil || !ok {
		return err
	}
	return s.visit(ctx, sure, names[1:])
}
