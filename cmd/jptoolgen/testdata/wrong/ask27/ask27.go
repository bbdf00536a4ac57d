// caught by: vet JP711

// Package ask27 ignores an error with one code, and returns all other errors.
package ask27

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
func (s *Store) Save(ctx context.Context, in kit.Thing, ask kit.Sure) (string, error) {
	ok, err := ask.Sure.Ask(ctx, "Save %s?", in.Name)
	if err != nil && fault.CodeOf(err) != fault.InputDeclined {
		return "", err
	}
	if !ok {
		return "not saved", nil
	}
	return "saved", nil
}
