// caught by: vet JP704

// Package world18 sends mail before it asks.
package world18

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
func (s *Store) Save(ctx context.Context, in kit.Thing, ask kit.Sure) (string, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPut, "https://example.com/draft", nil)
	if err != nil {
		return "", fault.Wrap(err, fault.Internal, "no request")
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", fault.Wrap(err, fault.Unavailable, "no answer")
	}
	defer answer.Body.Close()
	ok, err := ask.Sure.Ask(ctx, "Save %s?", in.Name)
	if err != nil {
		return "", err
	}
	if !ok {
		return "not saved", nil
	}
	return "saved " + in.Name, nil
}
