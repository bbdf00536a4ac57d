// caught by: nothing (control)

// Package right16 has a deadline.
package right16

import (
	"context"
	"time"

	"example.com/wrong/kit"

	"github.com/jptool/jptool/sdk/fault"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct {
	until time.Time
}

// Save is the tool under test.
//
//jp:tool
//jp:fails state
func (s *Store) Save(ctx context.Context, in kit.Thing, ask kit.Sure) (string, error) {
	if time.Now().After(s.until) {
		return "", fault.New(fault.State, "it is too late")
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
