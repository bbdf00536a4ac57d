// caught by: vet JP714

// Package when05 shows the process id.
package when05

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
	if ok, err := ask.Sure.Ask(ctx, "Save %s in %d?", in.Name, os.Getpid()); err != nil || !ok {
		return "", err
	}
	return "saved", nil
}
