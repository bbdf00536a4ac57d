// caught by: vet JP714

// Package when02 shows the time before the question.
package when02

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
	if ok, err := ask.Sure.Preamble("As of "+time.Now().Format(time.Kitchen)).Ask(ctx, "Save %s?", in.Name); err != nil || !ok {
		return "", err
	}
	return "saved", nil
}
