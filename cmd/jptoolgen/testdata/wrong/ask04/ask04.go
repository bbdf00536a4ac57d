// caught by: vet JP711

// Package ask04 formats the error without wrapping it.
package ask04

import (
	"context"
	"fmt"

	"example.com/wrong/kit"

	"github.com/jptool/jptool/sdk/fault"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct{}

// Save is the tool under test.
//
//jp:tool
func (s *Store) Save(ctx context.Context, in kit.Thing, ask kit.Sure) (string, error) {
	if ok, err := ask.Sure.Ask(ctx, "Save %s?", in.Name); err != nil || !ok {
		return "", fault.New(fault.Internal, "%s", fmt.Errorf("asking: %v", err))
	}
	return "saved", nil
}
