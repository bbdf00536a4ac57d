// caught by: nothing (control)

// Package right05 has a helper that maps errors.
package right05

import (
	"context"
	"errors"
	"fmt"

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
//jp:fails state
func (s *Store) Save(ctx context.Context, in kit.Thing, ask kit.Sure) (string, error) {
	ok, err := ask.Sure.Ask(ctx, "Save %s?", in.Name)
	if err != nil {
		return "", failed(err)
	}
	return fmt.Sprint(ok), nil
}

func failed(err error) error {
	if coded, ok := errors.AsType[*fault.Error](err); ok {
		return coded
	}
	return fault.Wrap(err, fault.State, "not saved")
}
