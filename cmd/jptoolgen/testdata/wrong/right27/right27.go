// caught by: nothing (control)

// Package right27 runs a fixed program with an argument.
package right27

import (
	"context"
	"os/exec"

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
//jp:fails unavailable
func (s *Store) Save(ctx context.Context, in kit.Thing) (string, error) {
	out, err := exec.CommandContext(ctx, "grep", "-c", "--", in.Name, "data.txt").Output()
	if err != nil {
		return "", fault.Wrap(err, fault.Unavailable, "grep fails")
	}
	return string(out), nil
}
