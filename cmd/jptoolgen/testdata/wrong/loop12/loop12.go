// caught by: vet JP713

// Package loop12 asks for each page.
package loop12

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
func (s *Store) Save(ctx context.Context, ask kit.Picks) (string, error) {
	for page := 0; ; page++ {
		choice, err := ask.Pick.Among("next", "stop").Ask(ctx, "Page %d: go on?", page)
		if err != nil {
			return "", err
		}
		if choice == "stop" {
			return "done", nil
		}
	}
}
