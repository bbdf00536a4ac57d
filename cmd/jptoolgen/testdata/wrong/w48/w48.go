// caught by: generator JP212

// Package w48 declares its own constant for a predefined code.
package w48

import (
	"context"

	"github.com/jptool/jptool/sdk/fault"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct{}

// Conflict is a constant of this package.
const Conflict fault.Code = "conflict"

// Save is the tool under test.
//
//jp:tool
//jp:fails conflict
func (s *Store) Save(ctx context.Context) (string, error) {
	return "", fault.New(Conflict, "no")
}
