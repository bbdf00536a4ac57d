// caught by: vet JP722

// Package kept03 sends a question to a channel of the server.
package kept03

import (
	"context"

	"example.com/wrong/kit"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct {
	queue chan kit.Sure
}

// Save is the tool under test.
//
//jp:tool
func (s *Store) Save(ctx context.Context, in kit.Thing, ask kit.Sure) (string, error) {
	select {
	case s.queue <- ask:
	default:
	}
	ok, err := ask.Sure.Ask(ctx, "Save %s?", in.Name)
	if err != nil {
		return "", err
	}
	if !ok {
		return "not saved", nil
	}
	return "saved " + in.Name, nil
}
