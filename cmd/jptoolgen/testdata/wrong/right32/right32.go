// caught by: nothing (control)

// Package right32 gives every error a code.
package right32

import (
	"context"
	"fmt"
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
	n, err := strconv.Atoi(in.Name)
	if err != nil {
		return "", fault.Wrap(err, fault.InvalidInput, "a number")
	}
	return fmt.Sprint(n), nil
}
