// caught by: compiler

// Package w01 asks a question that is not declared.
package w01

import (
	"context"

	"example.com/wrong/kit"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct{}

// Save is the tool under test.
//
//jp:tool
func (s *Store) Save(ctx context.Context, in kit.Thing, ask kit.Sure) (string, error) {
	ok, err := ask.Delete.Ask(ctx, "Delete %s?", in.Name)
	if err != nil || !ok {
		return "", err
	}
	return "deleted", nil
}
