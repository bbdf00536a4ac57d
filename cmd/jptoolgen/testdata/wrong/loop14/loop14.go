// caught by: vet JP713

// Package loop14 works on a queue.
package loop14

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
func (s *Store) Save(ctx context.Context, in kit.Things, ask kit.Sure) (string, error) {
	for queue := in.Names; len(queue) > 0; queue = queue[1:] {
		if ok, err := ask.Sure.Ask(ctx, "Save %s?", queue[0]); err != nil || !ok {
			return "", err
		}
	}
	return "saved", nil
}
