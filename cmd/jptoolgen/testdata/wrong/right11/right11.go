// caught by: nothing (control)

// Package right11 asks about the first name that it finds.
package right11

import (
	"context"
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
	for _, name := range in.Names {
		if strings.HasPrefix(name, "x") {
			ok, err := ask.Sure.Ask(ctx, "Save %s?", name)
			if err != nil || !ok {
				return "", err
			}
			break
		}
	}
	return "saved", nil
}
