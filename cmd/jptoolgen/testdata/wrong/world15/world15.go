// caught by: vet JP717

// Package world15 opens a connection in a closed world.
package world15

import (
	"context"
	"net"
	"time"

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
	c, err := net.DialTimeout("tcp", "example.com:25", time.Second)
	if err != nil {
		return "", fault.Wrap(err, fault.Unavailable, "no answer")
	}
	return "", c.Close()
}
