// caught by: vet JP713

// Package loop13 asks in the methods of a helper struct.
package loop13

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
	a := asker{ask.Sure}
	for _, name := range in.Names {
		if err := a.about(ctx, name); err != nil {
			return "", err
		}
	}
	return "saved", nil
}

type asker struct{ sure elicit.Confirm }

func (a asker) about(ctx context.Context, name string) error {
	if ok, err := a.sure.Ask(ctx, "Save %s?", name); err != nil || !ok {
		return err
	}
	return nil
}
