// caught by: vet JP714

// Package when21 uses a random number from another package.
package when21

import (
	"context"
	crand "crypto/rand"
	"math/big"

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
func (s *Store) Save(ctx context.Context, ask kit.Sure) (string, error) {
	n, err := crand.Int(crand.Reader, big.NewInt(10))
	if err != nil {
		return "", fault.Wrap(err, fault.Internal, "no number")
	}
	if ok, err := ask.Sure.Ask(ctx, "Take %s?", n); err != nil || !ok {
		return "", err
	}
	return n.String(), nil
}
