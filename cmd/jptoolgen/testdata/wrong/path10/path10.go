// caught by: vet JP718

// Package path10 runs a program that the caller names.
package path10

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
func (s *Store) Save(ctx context.Context, in kit.File) (string, error) {
	out, err := exec.CommandContext(ctx, in.Path, "--version").Output()
	if err != nil {
		return "", fault.Wrap(err, fault.Unavailable, "it fails")
	}
	return string(out), nil
}
