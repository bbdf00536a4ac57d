// caught by: vet JP701

// Package ask21 uses a form before it checks the error.
package ask21

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
func (s *Store) Save(ctx context.Context, ask kit.Forms) (string, error) {
	details, err := ask.Details.Ask(ctx, "Which?")
	text := strings.Repeat(details.Title, details.Pages)
	if err != nil {
		return "", err
	}
	return text, nil
}
