// caught by: nothing (control)

// Package right49 is a wizard with steps.
package right49

import (
	"context"

	"example.com/wrong/kit"

	"github.com/jptool/jptool/sdk/fault"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct{}

// Save is the tool under test.
//
//jp:tool
func (s *Store) Save(ctx context.Context, ask kit.Both) (string, error) {
	w := &wizard{ask: ask}
	for _, step := range []func(context.Context) error{w.first, w.second} {
		if err := step(ctx); err != nil {
			return "", err
		}
	}
	return w.name, nil
}

type wizard struct {
	ask  kit.Both
	name string
}

func (w *wizard) first(ctx context.Context) error {
	if ok, err := w.ask.Sure.Ask(ctx, "Go on?"); err != nil || ok {
		return err
	}
	return fault.New(fault.InputDeclined, "stopped")
}

func (w *wizard) second(ctx context.Context) (err error) {
	w.name, err = w.ask.Name.Ask(ctx, "Name?")
	return err
}
