// caught by: vet JP711

// Package ask19 checks the error in a switch that lacks a case.
package ask19

import (
	"context"
	"errors"

	"example.com/wrong/kit"

	"github.com/jptool/jptool/sdk/elicit"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct{}

// Save is the tool under test.
//
//jp:tool
func (s *Store) Save(ctx context.Context, ask kit.Name) (string, error) {
	name, err := ask.Name.Ask(ctx, "Name?")
	switch {
	case errors.Is(err, elicit.ErrDeclined):
		return "declined", nil
	case errors.Is(err, elicit.ErrCanceled):
		return "canceled", nil
	}
	return name, err
}
