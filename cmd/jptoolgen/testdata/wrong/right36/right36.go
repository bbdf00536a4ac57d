// caught by: nothing (control)

// Package right36 compares a choice with its constants.
package right36

import (
	"context"

	"example.com/wrong/kit"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct{}

// Save is the tool under test.
//
//jp:tool
func (s *Store) Save(ctx context.Context, ask kit.Hows) (string, error) {
	how, err := ask.How.Ask(ctx, "How?")
	if err != nil {
		return "", err
	}
	switch how {
	case kit.Keep:
		return "kept", nil
	case "replace", "":
		return "replaced", nil
	}
	return string(how), nil
}
