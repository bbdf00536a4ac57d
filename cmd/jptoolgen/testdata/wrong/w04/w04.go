// caught by: compiler

// Package w04 reads a field that a form does not have.
package w04

import (
	"context"

	"example.com/wrong/kit"
)

// Store keeps things.
//
//jp:server clients=mcp
type Store struct{}

// Save saves a thing.
//
//jp:tool
func (s *Store) Save(ctx context.Context, ask kit.Forms) (string, error) {
	details, err := ask.Details.Ask(ctx, "Which?")
	return details.Author, err
}
