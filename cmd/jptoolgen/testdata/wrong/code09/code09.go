// caught by: vet JP721

// Package code09 sets a code in a struct literal.
package code09

import (
	"context"

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
func (s *Store) Save(ctx context.Context, in kit.Thing) (string, error) {
	return "", &fault.Error{Code: fault.Code(in.Name), Message: "failed"}
}
