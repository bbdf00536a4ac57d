// caught by: run replay

// Package late15 counts in the server and in a question.
package late15

import (
	"context"

	"example.com/wrong/kit"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct {
	count int
}

// Save is the tool under test.
//
//jp:tool
func (s *Store) Save(ctx context.Context, ask kit.Sure) (string, error) {
	s.count++
	if ok, err := ask.Sure.Ask(ctx, "Save number %d?", s.count); err != nil || !ok {
		return "", err
	}
	return "saved", nil
}
