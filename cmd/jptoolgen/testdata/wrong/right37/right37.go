// caught by: nothing (control)

// Package right37 keeps questions in a struct during the call.
package right37

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
func (s *Store) Save(ctx context.Context, in kit.Thing, ask kit.Sure) (string, error) {
	a := asker{sure: ask.Sure, name: in.Name}
	if err := a.ask(ctx); err != nil {
		return "", err
	}
	return "saved", nil
}

type asker struct {
	sure elicit.Confirm
	name string
}

func (a asker) ask(ctx context.Context) error {
	if ok, err := a.sure.Preamble("x").Ask(ctx, "Save %s?", a.name); err != nil || !ok {
		return err
	}
	return nil
}
