// caught by: vet JP705

// Package code10 fails with a code in a helper.
package code10

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
	return s.find(in.Name)
}

func (s *Store) find(name string) (string, error) {
	if name == "x" {
		return "", fault.New(fault.Conflict, "there are two")
	}
	return name, nil
}
