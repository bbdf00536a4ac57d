// caught by: compiler

// Package w04 reads a field that a form does not have.
package w04

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
func (s *Store) Save(ctx context.Context, ask kit.Forms) (string, error) {
	details, err := ask.Details.Ask(ctx, "Which?")
	return details.Author, err
}
