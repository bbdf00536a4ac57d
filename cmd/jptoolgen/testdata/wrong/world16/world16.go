// caught by: vet JP717

// Package world16 looks up host names in a closed world.
package world16

import (
	"context"
	"net"
	"strings"

	"github.com/jptool/jptool/sdk/fault"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct{}

// Save is the tool under test.
//
//jp:tool openworld=false
//jp:fails unavailable
func (s *Store) Save(ctx context.Context) (string, error) {
	names, err := net.LookupAddr("192.0.2.1")
	if err != nil {
		return "", fault.Wrap(err, fault.Unavailable, "no answer")
	}
	return strings.Join(names, " "), nil
}
