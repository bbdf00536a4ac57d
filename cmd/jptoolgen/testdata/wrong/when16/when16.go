// caught by: vet JP714

// Package when16 shows the name of a temporary file.
package when16

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
func (s *Store) Save(ctx context.Context, ask kit.Sure) (string, error) {
	f, err := os.CreateTemp("", "draft")
	if err != nil {
		return "", err
	}
	defer f.Close()
	if ok, err := ask.Sure.Ask(ctx, "Save to %s?", f.Name()); err != nil || !ok {
		return "", err
	}
	return "saved", nil
}
