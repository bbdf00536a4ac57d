// caught by: nothing (control)

// Package right42 calls a tool in this process.
package right42

import (
	"context"

	"example.com/wrong/kit"

	"github.com/jptool/jptool/sdk/elicit"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct{}

type ui struct{}

func (ui) Sure(context.Context, elicit.Request) (elicit.Response[bool], error) {
	return elicit.Accepted(true), nil
}

// Save is the tool under test.
//
//jp:tool
func (s *Store) Save(ctx context.Context, in kit.Thing) (string, error) {
	return CallPlain(ctx, s, in, ui{})
}

// Plain asks a question.
//
//jp:tool
func (s *Store) Plain(ctx context.Context, in kit.Thing, ask kit.Sure) (string, error) {
	if ok, err := ask.Sure.Ask(ctx, "Plain %s?", in.Name); err != nil || !ok {
		return "", err
	}
	return in.Name, nil
}
