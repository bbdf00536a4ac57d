// caught by: vet JP712

// Package ask14 acknowledges an error, and continues as if the answer were yes.
package ask14

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
	sure := true
	if ok, err := ask.Sure.Ask(ctx, "Save %s?", in.Name); err != nil {
		elicit.Acknowledge(err)
	} else {
		sure = ok
	}
	if !sure {
		return "not saved", nil
	}
	return "saved", nil
}
