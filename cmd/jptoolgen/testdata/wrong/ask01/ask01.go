// caught by: vet JP711

// Package ask01 continues if the question cannot be asked.
package ask01

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
	if fault.CodeOf(err) == fault.InputUnavailable {
		return "saved without asking", nil
	}
	if err != nil || !ok {
		return "", err
	}
	return "saved", nil
}
