// caught by: vet JP719

// Package word03 compares the text of an answer.
package word03

import (
	"context"

	"example.com/wrong/kit"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct{}

// Save is the tool under test.
//
//jp:tool
func (s *Store) Save(ctx context.Context, ask kit.Hows) (string, error) {
	how, err := ask.How.Ask(ctx, "How?")
	if err != nil {
		return "", err
	}
	if string(how) == "merge" {
		return "merged", nil
	}
	return "replaced", nil
}
