// caught by: vet JP711

// Package ask18 asks again until there is an answer.
package ask18

import (
	"context"
	"fmt"

	"example.com/wrong/kit"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct{}

// Save is the tool under test.
//
//jp:tool
func (s *Store) Save(ctx context.Context, in kit.Thing, ask kit.Sure) (string, error) {
	for {
		ok, err := ask.Sure.Ask(ctx, "Save %s?", in.Name)
		if err == nil {
			return fmt.Sprint(ok), nil
		}
	}
}
