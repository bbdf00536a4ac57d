// caught by: vet JP712

// Package ask13 calls Acknowledge and treats the result as a yes.
package ask13

import (
	"context"

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
	if elicit.Acknowledge(err) {
		ok = true
	} else if err != nil {
		return "", err
	}
	if !ok {
		return "not saved", nil
	}
	return "saved", nil
}
