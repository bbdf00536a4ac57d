// caught by: vet JP711

// Package ask11 drops the error in a callback.
package ask11

import (
	"context"
	"slices"
	"strings"

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
	kept := slices.DeleteFunc(in.Names, func(name string) bool {
		ok, err := ask.Sure.For(name).Ask(ctx, "Keep %s?", name)
		return err != nil || !ok
	})
	return strings.Join(kept, ", "), nil
}
