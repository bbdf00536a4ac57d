// caught by: vet JP705

// Package code11 fails with a code that it defines but does not declare.
package code11

import (
	"context"

	"example.com/wrong/kit"

	"github.com/jptool/jptool/sdk/fault"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct{}

// TooMany is returned when there are too many.
const TooMany fault.Code = "too_many"

// Save is the tool under test.
//
//jp:tool
func (s *Store) Save(ctx context.Context, in kit.Thing) (string, error) {
	return "", fault.New(TooMany, "too many")
}
