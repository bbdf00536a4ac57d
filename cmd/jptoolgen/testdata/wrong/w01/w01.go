// caught by: compiler

// Package w01 asks a question that is not declared.
package w01

import (
	"context"

	"example.com/wrong/kit"
)

// Store keeps things.
//
//jp:server clients=mcp
type Store struct{}

// Save saves a thing.
//
//jp:tool
func (s *Store) Save(ctx context.Context, in kit.Thing, ask kit.Sure) (string, error) {
	ok, err := ask.Delete.Ask(ctx, "Delete %s?", in.Name)
	if err != nil || !ok {
		return "", err
	}
	return "deleted", nil
}
