// caught by: vet JP714

// Package when18 counts its calls in a question.
package when18

import (
	"context"
	"sync/atomic"

	"example.com/wrong/kit"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct {
	calls atomic.Int64
}

// Save is the tool under test.
//
//jp:tool
func (s *Store) Save(ctx context.Context, in kit.Thing, ask kit.Sure) (string, error) {
	if ok, err := ask.Sure.Ask(ctx, "Save %s, number %d?", in.Name, s.calls.Add(1)); err != nil || !ok {
		return "", err
	}
	return "saved", nil
}
