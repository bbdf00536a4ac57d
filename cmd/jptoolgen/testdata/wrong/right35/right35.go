// caught by: nothing (control)

// Package right35 has codes in a table.
package right35

import (
	"context"

	"example.com/wrong/kit"

	"github.com/jptool/jptool/sdk/fault"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct{}

var codes = map[string]fault.Code{"gone": fault.NotFound, "twice": fault.Conflict}

// Save is the tool under test.
//
//jp:tool
//jp:fails not_found conflict
func (s *Store) Save(ctx context.Context, in kit.Thing) (string, error) {
	code, ok := codes[in.Name]
	if !ok {
		code = fault.InvalidInput
	}
	return "", fault.New(code, "failed")
}
