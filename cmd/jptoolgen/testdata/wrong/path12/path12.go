// caught by: vet JP718

// Package path12 fetches any page.
package path12

import (
	"context"
	"net/http"

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
func (s *Store) Save(ctx context.Context, in kit.Page) (string, error) {
	answer, err := http.Get(in.URL)
	if err != nil {
		return "", fault.Wrap(err, fault.Unavailable, "no answer")
	}
	defer answer.Body.Close()
	return answer.Status, nil
}
