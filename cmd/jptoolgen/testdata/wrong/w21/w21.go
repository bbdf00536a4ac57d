// caught by: vet JP722

// Package w21 keeps questions in the server, and asks them in another tool.
package w21

import (
	"context"

	"example.com/wrong/kit"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct {
	last kit.Sure
}

// Save is the tool under test.
//
//jp:tool
func (s *Store) Save(ctx context.Context, in kit.Thing, ask kit.Sure) (string, error) {
	s.last = ask
	ok, err := ask.Sure.Ask(ctx, "Save %s?", in.Name)
	if err != nil {
		return "", err
	}
	if !ok {
		return "not saved", nil
	}
	return "saved " + in.Name, nil
}

// Plain asks a question that it does not declare.
//
//jp:tool
func (s *Store) Plain(ctx context.Context, in kit.Thing) (string, error) {
	if ok, err := s.last.Sure.Ask(ctx, "Really?"); err != nil || !ok {
		return "", err
	}
	return in.Name, nil
}
