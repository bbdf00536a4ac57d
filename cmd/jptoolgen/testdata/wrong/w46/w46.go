// caught by: vet JP721

// Package w46 computes a code at run time.
package w46

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
	return "", fault.New(fault.Code(in.Name), "failed")
}
