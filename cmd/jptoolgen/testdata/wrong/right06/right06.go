// caught by: nothing (control)

// Package right06 names its results.
package right06

import (
	"context"
	"fmt"

	"example.com/wrong/kit"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct{}

// Save is the tool under test.
//
//jp:tool
func (s *Store) Save(ctx context.Context, in kit.Thing, ask kit.Sure) (text string, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("saving: %w", err)
		}
	}()
	var ok bool
	if ok, err = ask.Sure.Ask(ctx, "Save %s?", in.Name); err != nil || !ok {
		return "", err
	}
	return "saved", nil
}
