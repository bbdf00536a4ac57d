// caught by: vet JP721

// Package code08 computes a code from a status.
package code08

import (
	"context"
	"strconv"

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
	return "", fault.New(fault.Code("http_"+strconv.Itoa(len(in.Name))), "failed")
}
