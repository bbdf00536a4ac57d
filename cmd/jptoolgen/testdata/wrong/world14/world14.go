// caught by: vet JP717

// Package world14 contacts a server in a closed world.
package world14

import (
	"context"
	"net/http"

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
	answer, err := http.Get("https://example.com")
	if err != nil {
		return "", fault.Wrap(err, fault.Unavailable, "no answer")
	}
	defer answer.Body.Close()
	return answer.Status, nil
}
