// caught by: nothing (control)

// Package right25 asks whether a URL is granted.
package right25

import (
	"context"
	"net/http"
	"net/url"

	"example.com/wrong/kit"

	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/tool"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct{}

// Save is the tool under test.
//
//jp:tool
//jp:fails unavailable permission_denied
func (s *Store) Save(ctx context.Context, in kit.Page, call *tool.Call) (string, error) {
	u, err := url.Parse(in.URL)
	if err != nil {
		return "", fault.Wrap(err, fault.InvalidInput, "no URL")
	}
	if err := call.Access().CheckURL(u); err != nil {
		return "", err
	}
	answer, err := http.Get(u.String())
	if err != nil {
		return "", fault.Wrap(err, fault.Unavailable, "no answer")
	}
	defer answer.Body.Close()
	return answer.Status, nil
}
