// caught by: vet JP711 JP712

// Package w62 treats declined as yes.
package w62

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
func (s *Store) Save(ctx context.Context, in kit.Thing, ask kit.Sure) (string, error) {
	ok, err := ask.Sure.Ask(ctx, "Save %s?", in.Name)
	if errors.Is(err, elicit.ErrDeclined) {
		ok = true
	}
	if !ok {
		return "not saved", nil
	}
	return "saved", nil
}
