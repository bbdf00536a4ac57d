// caught by: generator JP406

// Package code15 misspells a code.
package code15

import (
	"context"

	"example.com/wrong/kit"

	"github.com/jptool/jptool/sdk/fault"
)

// Store keeps things.
//
//jp:server clients=mcp
type Store struct{}

// Bad is not a code.
const Bad fault.Code = "Not-Good"

// Save saves a thing.
//
//jp:tool
func (s *Store) Save(ctx context.Context, in kit.Thing) (string, error) {
	return "", fault.New(Bad, "no")
}
