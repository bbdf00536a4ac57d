// caught by: nothing (control)

// Package right26 uses its argument in a query.
package right26

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
//jp:tool readonly=true openworld=true
//jp:fails unavailable
func (s *Store) Save(ctx context.Context, in kit.Thing) (string, error) {
	answer, err := http.Get("https://example.com/search?q=" + url.QueryEscape(in.Name))
	if err != nil {
		return "", fault.Wrap(err, fault.Unavailable, "no answer")
	}
	defer answer.Body.Close()
	return answer.Status, nil
}
