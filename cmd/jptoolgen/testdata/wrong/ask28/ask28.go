// caught by: vet JP711

// Package ask28 logs faults and returns other errors.
package ask28

import (
	"context"
	"log/slog"

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
	ok, err := ask.Sure.Ask(ctx, "Save %s?", in.Name)
	switch e := err.(type) {
	case nil:
	case *fault.Error:
		slog.Warn("not asked", "code", e.Code)
	default:
		return "", err
	}
	if !ok {
		return "not saved", nil
	}
	return "saved", nil
}
