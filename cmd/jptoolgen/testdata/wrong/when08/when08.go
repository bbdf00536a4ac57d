// caught by: vet JP714

// Package when08 lists a map in a question.
package when08

import (
	"context"
	"fmt"

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
	text := ""
	for name, n := range s.things {
		text += fmt.Sprintf("%s: %d\n", name, n)
	}
	if ok, err := ask.Sure.Preamble(text).Ask(ctx, "Save all?"); err != nil || !ok {
		return "", err
	}
	return "saved", nil
}
