// caught by: generator JP306

// Package w34 confirms a destructive action by default.
package w34

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
	A elicit.Confirm `default:"true"`
}

// Save saves a thing.
//
//jp:tool destructive=true
func (s *Store) Save(ctx context.Context, ask SaveQuestions) (string, error) {
	_, err := ask.A.Ask(ctx, "A?")
	return "", err
}
