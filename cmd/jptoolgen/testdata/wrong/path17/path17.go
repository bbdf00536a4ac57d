// caught by: vet JP718

// Package path17 opens a path from the answer to a question.
package path17

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
//jp:tool readonly=true
func (s *Store) Save(ctx context.Context, ask kit.Name) (string, error) {
	path, err := ask.Name.Ask(ctx, "Which file?")
	if err != nil {
		return "", err
	}
	data, err := os.ReadFile(path)
	return string(data), err
}
