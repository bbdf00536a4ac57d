// caught by: run internal

// Package code14 fails with a code that it looks up in a table, which may not contain it.
package code14

import (
	"context"

	"example.com/wrong/kit"

	"github.com/jptool/jptool/sdk/fault"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct{}

var codes = map[string]fault.Code{"404": fault.NotFound, "409": fault.Conflict}

// Save is the tool under test.
//
//jp:tool
//jp:fails not_found conflict
func (s *Store) Save(ctx context.Context, in kit.Thing) (string, error) {
	return "", fault.New(codes[in.Name], "failed")
}
