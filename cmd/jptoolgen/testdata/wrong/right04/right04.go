// caught by: nothing (control)

// Package right04 joins the errors of several questions.
package right04

import (
	"context"
	"errors"

	"example.com/wrong/kit"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct{}

// Save is the tool under test.
//
//jp:tool
func (s *Store) Save(ctx context.Context, in kit.Things, ask kit.Sure) (string, error) {
	var failed []error
	for _, name := range in.Names {
		ok, err := ask.Sure.For(name).Ask(ctx, "Save %s?", name)
		if !ok {
			failed = append(failed, err)
		}
	}
	return "saved", errors.Join(failed...)
}
