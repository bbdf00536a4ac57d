// caught by: vet JP723

// Package kept08 asks a question that may be the zero value.
package kept08

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
	var which elicit.Confirm
	if in.Name != "" {
		which = ask.Sure
	}
	if ok, err := which.Ask(ctx, "Sure?"); err != nil || !ok {
		return "", err
	}
	return "", nil
}
