// caught by: vet JP722

// Package w70 asks a question from a package variable.
package w70

import (
	"context"

	"example.com/wrong/kit"

	"github.com/jptool/jptool/sdk/elicit"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct{}

var global elicit.Text

// Save is the tool under test.
//
//jp:tool
func (s *Store) Save(ctx context.Context, in kit.Thing) (string, error) {
	if _, err := global.Ask(ctx, "Really?"); err != nil {
		return "", err
	}
	return in.Name, nil
}
