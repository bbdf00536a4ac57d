// caught by: vet JP718

// Package path18 runs the first word of its argument.
package path18

import (
	"context"
	"os/exec"
	"strings"

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
	words := strings.Fields(in.Name)
	out, err := exec.CommandContext(ctx, words[0], words[1:]...).Output()
	if err != nil {
		return "", fault.Wrap(err, fault.Unavailable, "it fails")
	}
	return string(out), nil
}
