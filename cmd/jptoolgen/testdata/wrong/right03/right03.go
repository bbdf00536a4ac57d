// caught by: nothing (control)

// Package right03 acknowledges the errors of some questions, and continues.
package right03

import (
	"context"
	"strings"

	"example.com/wrong/kit"

	"github.com/jptool/jptool/sdk/elicit"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct{}

// Save is the tool under test.
//
//jp:tool
func (s *Store) Save(ctx context.Context, in kit.Things, ask kit.Sure) (string, error) {
	var saved []string
	for _, name := range in.Names {
		ok, err := ask.Sure.For(name).Ask(ctx, "Save %s?", name)
		if err != nil && !elicit.Acknowledge(err) {
			return "", err
		}
		if ok {
			saved = append(saved, name)
		}
	}
	return strings.Join(saved, ", "), nil
}
