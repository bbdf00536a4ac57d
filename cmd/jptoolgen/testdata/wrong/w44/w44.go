// caught by: nothing (control)

// Package w44 has line breaks in a question.
package w44

import (
	"context"

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
	if ok, err := ask.Sure.Ask(ctx, "Save\n%s?", in.Name); err != nil || !ok {
		return "", err
	}
	return "saved", nil
}
