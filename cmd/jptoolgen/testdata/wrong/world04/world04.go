// caught by: vet JP715

// Package world04 runs a program.
package world04

import (
	"context"
	"os/exec"

	"github.com/jptool/jptool/sdk/fault"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct{}

// Save is the tool under test.
//
//jp:tool readonly=true
//jp:fails unavailable
func (s *Store) Save(ctx context.Context) (string, error) {
	if err := exec.CommandContext(ctx, "git", "gc").Run(); err != nil {
		return "", fault.Wrap(err, fault.Unavailable, "git fails")
	}
	return "done", nil
}
