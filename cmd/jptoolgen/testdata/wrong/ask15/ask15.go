// caught by: vet JP712

// Package ask15 invents the answer to a choice.
package ask15

import (
	"context"

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
func (s *Store) Save(ctx context.Context, ask kit.Hows) (string, error) {
	how, err := ask.How.Ask(ctx, "How?")
	if elicit.Acknowledge(err) {
		how = kit.Replace
	} else if err != nil {
		return "", err
	}
	return string(how), nil
}
