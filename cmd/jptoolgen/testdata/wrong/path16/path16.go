// caught by: vet JP718

// Package path16 parses a URL, and fetches it.
package path16

import (
	"context"
	"net/http"
	"net/url"

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
	u, err := url.Parse(in.URL)
	if err != nil || u.Scheme != "https" {
		return "", fault.New(fault.InvalidInput, "no https")
	}
	answer, err := http.Get(u.String())
	if err != nil {
		return "", fault.Wrap(err, fault.Unavailable, "no answer")
	}
	defer answer.Body.Close()
	return answer.Status, nil
}
