// caught by: generator JP208

// Package w41 has bounds that exclude everything.
package w41

import (
	"context"

	"github.com/jptool/jptool/sdk/elicit"
)

// Store keeps things.
//
//jp:server clients=mcp
type Store struct{}

// SaveQuestions is what is asked.
type SaveQuestions struct {
	// A asks.
	A elicit.Text `jsonschema:"minLength=9,maxLength=3"`
}

// Save saves a thing.
//
//jp:tool
func (s *Store) Save(ctx context.Context, ask SaveQuestions) (string, error) {
	_, err := ask.A.Ask(ctx, "A?")
	return "", err
}
