// caught by: vet JP715

// Package world05 posts to a server.
package world05

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
//jp:tool readonly=true openworld=true
//jp:fails unavailable
func (s *Store) Save(ctx context.Context) (string, error) {
	answer, err := http.Post("https://example.com/hits", "text/plain", nil)
	if err != nil {
		return "", fault.Wrap(err, fault.Unavailable, "example.com did not answer")
	}
	defer answer.Body.Close()
	return "done", nil
}
