// caught by: vet JP718

// Package path20 adds a scheme to a URL.
package path20

import (
	"context"
	"net/http"
	"strings"

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
	if !strings.HasPrefix(in.URL, "https://") {
		in.URL = "https://" + in.URL
	}
	answer, err := http.DefaultClient.Get(in.URL)
	if err != nil {
		return "", fault.Wrap(err, fault.Unavailable, "no answer")
	}
	defer answer.Body.Close()
	return answer.Status, nil
}
