// caught by: vet JP711

// Package ask06 collects errors and only counts them.
package ask06

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
func (s *Store) Save(ctx context.Context, in kit.Things, ask kit.Sure) (string, error) {
	var failed []error
	for _, name := range in.Names {
		if ok, err := ask.Sure.For(name).Ask(ctx, "Save %s?", name); err != nil || !ok {
			failed = append(failed, err)
		}
	}
	return fmt.Sprint(len(failed), " failed"), nil
}
