// caught by: vet JP714

// Package when15 passes the time to a helper that asks.
package when15

import (
	"context"
	"time"

	"example.com/wrong/kit"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct{}

// Save is the tool under test.
//
//jp:tool
func (s *Store) Save(ctx context.Context, in kit.Thing, ask kit.Sure) (string, error) {
	if err := sure(ctx, ask, "saved at "+time.Now().String()); err != nil {
		return "", err
	}
	return "saved", nil
}

func sure(ctx context.Context, ask kit.Sure, text string) error {
	if ok, err := ask.Sure.Ask(ctx, "Is it %s?", text); err != nil || !ok {
		return err
	}
	return nil
}
