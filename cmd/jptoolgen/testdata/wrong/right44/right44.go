// caught by: nothing (control)

// Package right44 asks before it starts a goroutine.
package right44

import (
	"context"

	"example.com/wrong/kit"
	"golang.org/x/sync/errgroup"

	"github.com/jptool/jptool/sdk/tool"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct{}

// Save is the tool under test.
//
//jp:tool
func (s *Store) Save(ctx context.Context, in kit.Thing, ask kit.Sure) (string, error) {
	ok, err := ask.Sure.Ask(ctx, "Save %s?", in.Name)
	if err != nil || !ok {
		return "", err
	}
	work := tool.Branch(ctx)
	group, _ := errgroup.WithContext(work)
	group.Go(func() error { return work.Err() })
	if err := group.Wait(); err != nil {
		return "", err
	}
	return "saved", nil
}
