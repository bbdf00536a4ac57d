// caught by: generator JP406

// Package code15 misspells a code.
package code15

import (
	"context"

	"example.com/wrong/kit"

	"github.com/jptool/jptool/sdk/fault"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct{}

// Bad is not a code.
const Bad fault.Code = "Not-Good"

// Save is the tool under test.
//
//jp:tool
func (s *Store) Save(ctx context.Context, in kit.Thing) (string, error) {
	return "", fault.New(Bad, "no")
}
