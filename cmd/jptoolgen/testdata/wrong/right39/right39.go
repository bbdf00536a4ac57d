// caught by: nothing (control)

// Package right39 picks a question by an argument.
package right39

import (
	"context"

	"example.com/wrong/kit"

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
	// B asks.
	B elicit.Confirm
}

// Save saves a thing.
//
//jp:tool
func (s *Store) Save(ctx context.Context, in kit.Thing, ask SaveQuestions) (string, error) {
	sure := ask.A
	if in.Name == "" {
		sure = ask.B
	}
	_, err := sure.Ask(ctx, "Save?")
	return "", err
}
