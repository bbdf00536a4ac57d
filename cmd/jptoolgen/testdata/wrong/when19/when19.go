// caught by: run replay

// Package when19 reads a file that another process may change.
package when19

import (
	"context"
	"os"

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
	note, err := os.ReadFile("note.txt")
	if err != nil {
		return "", err
	}
	if ok, err := ask.Sure.Ask(ctx, "Save %s: %s?", in.Name, note); err != nil || !ok {
		return "", err
	}
	return "saved", nil
}
