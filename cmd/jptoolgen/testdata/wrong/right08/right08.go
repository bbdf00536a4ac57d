// caught by: nothing (control)

// Package right08 stores an error and returns it later.
package right08

import (
	"context"
	"fmt"

	"example.com/wrong/kit"

	"github.com/jptool/jptool/sdk/elicit"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct{}

// Save is the tool under test.
//
//jp:tool
func (s *Store) Save(ctx context.Context, ask kit.Sure) (string, error) {
	a := &asker{ask: ask.Sure}
	first := a.sure(ctx, "a")
	second := a.sure(ctx, "b")
	return fmt.Sprint(first && second), a.err
}

type asker struct {
	ask elicit.Confirm
	err error
}

func (a *asker) sure(ctx context.Context, about string) bool {
	if a.err != nil {
		return false
	}
	var ok bool
	ok, a.err = a.ask.For(about).Ask(ctx, "Sure about %s?", about)
	return ok
}
