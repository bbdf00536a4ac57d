// caught by: nothing (control)

// Package right13 sorts the values that it has collected.
package right13

import (
	"context"
	"sort"
	"strings"

	"example.com/wrong/kit"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct {
	things map[string]int
}

// Save is the tool under test.
//
//jp:tool
func (s *Store) Save(ctx context.Context, ask kit.Sure) (string, error) {
	var names []string
	total := 0
	for name, n := range s.things {
		names = append(names, name)
		total += n
	}
	sort.Strings(names)
	if ok, err := ask.Sure.Preamble(strings.Join(names, "\n")).Ask(ctx, "Save %d in %d?", total, len(names)); err != nil || !ok {
		return "", err
	}
	return "saved", nil
}
