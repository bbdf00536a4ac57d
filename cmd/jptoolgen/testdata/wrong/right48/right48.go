// caught by: nothing (control)

// Package right48 yields the errors of an iterator.
package right48

import (
	"context"
	"iter"
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
	var saved []string
	for name, err := range chosen(ctx, ask, in.Names) {
		if err != nil {
			return "", err
		}
		saved = append(saved, name)
	}
	return strings.Join(saved, " "), nil
}

func chosen(ctx context.Context, ask kit.Sure, names []string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for _, name := range names {
			ok, err := ask.Sure.For(name).Ask(ctx, "Take %s?", name)
			if err != nil {
				yield("", err)
				return
			}
			if ok && !yield(name, nil) {
				return
			}
		}
	}
}
