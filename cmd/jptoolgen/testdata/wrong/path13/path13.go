// caught by: vet JP718

// Package path13 fetches from a host that is an argument.
package path13

import (
	"context"
	"fmt"
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
func (s *Store) Save(ctx context.Context, in kit.Thing) (string, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, fmt.Sprintf("https://%s/status", in.Name), nil)
	if err != nil {
		return "", fault.Wrap(err, fault.InvalidInput, "no host")
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", fault.Wrap(err, fault.Unavailable, "no answer")
	}
	defer answer.Body.Close()
	return answer.Status, nil
}
