// caught by: vet JP705

// Package code13 fails with a code for a missing file, without declaring it.
package code13

import (
	"context"
	"errors"
	"io/fs"
	"os"

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
	if _, err := os.Stat("data"); errors.Is(err, fs.ErrNotExist) {
		return "", fault.New(fault.NotFound, "there is no data")
	}
	return "done", nil
}
