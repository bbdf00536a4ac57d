// caught by: vet JP718

// Package path19 creates a command as a struct literal.
package path19

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
	cmd := &exec.Cmd{Path: in.Path}
	if err := cmd.Run(); err != nil {
		return "", fault.Wrap(err, fault.Unavailable, "it fails")
	}
	return "", nil
}
