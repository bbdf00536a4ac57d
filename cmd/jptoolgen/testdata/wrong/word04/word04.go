// caught by: vet JP719

// Package word04 has a table with an unknown value.
package word04

import (
	"context"

	"example.com/wrong/kit"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct{}

var texts = map[kit.How]string{kit.Keep: "kept", "replace": "replaced", "merge": "merged"}

// Save is the tool under test.
//
//jp:tool
func (s *Store) Save(ctx context.Context, ask kit.Hows) (string, error) {
	how, err := ask.How.Ask(ctx, "How?")
	if err != nil {
		return "", err
	}
	return texts[how], nil
}
