// caught by: generator JP301

// Package w36 has a question that is not exported.
package w36

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
	A elicit.Confirm
	// b asks.
	b elicit.Confirm
}

// Save saves a thing.
//
//jp:tool
func (s *Store) Save(ctx context.Context, ask SaveQuestions) (string, error) {
	_, err := ask.A.Ask(ctx, "A?")
	return "", err
}
