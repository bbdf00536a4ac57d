// caught by: vet JP711

// Package ask30 collects results with their errors, and returns the good ones.
package ask30

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
	var all []result
	for _, name := range in.Names {
		ok, err := ask.Sure.For(name).Ask(ctx, "Save %s?", name)
		all = append(all, result{name, ok, err})
	}
	var good []string
	for _, r := range all {
		if r.err == nil && r.ok {
			good = append(good, r.name)
		}
	}
	return strings.Join(good, " "), nil
}

type result struct {
	name string
	ok   bool
	err  error
}
