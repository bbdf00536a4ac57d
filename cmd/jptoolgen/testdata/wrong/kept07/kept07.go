// caught by: vet JP723

// Package kept07 replaces a question with the zero value.
package kept07

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
	if in.Name == "" {
		ask.Sure = elicit.Confirm{}
	}
	ok, err := ask.Sure.Ask(ctx, "Save %s?", in.Name)
	if err != nil {
		return "", err
	}
	if !ok {
		return "not saved", nil
	}
	return "saved " + in.Name, nil
}
