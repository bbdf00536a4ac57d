// caught by: vet JP714

// Package when11 greets depending on the time of day.
package when11

import (
	"context"
	"time"

	"example.com/wrong/kit"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct{}

// Save is the tool under test.
//
//jp:tool
func (s *Store) Save(ctx context.Context, ask kit.Sure) (string, error) {
	text := "Good morning"
	if time.Now().Hour() >= 12 {
		text = "Good day"
	}
	if ok, err := ask.Sure.Ask(ctx, "%s, save?", text); err != nil || !ok {
		return "", err
	}
	return "saved", nil
}
