// caught by: vet JP702 JP711

// Package kept12 asks two questions concurrently.
package kept12

import (
	"context"
	"sync"

	"example.com/wrong/kit"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct{}

// Save is the tool under test.
//
//jp:tool
func (s *Store) Save(ctx context.Context, ask kit.Both) (string, error) {
	var both sync.WaitGroup
	both.Go(func() { _, _ = ask.Sure.Ask(ctx, "Sure?") })
	both.Go(func() { _, _ = ask.Name.Ask(ctx, "Name?") })
	both.Wait()
	return "", nil
}
