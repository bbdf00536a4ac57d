// caught by: nothing (control)

// Package right40 limits the run time of a helper.
package right40

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
	limited, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	if err := s.load(limited); err != nil {
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

func (s *Store) load(ctx context.Context) error {
	<-ctx.Done()
	return context.Cause(ctx)
}
