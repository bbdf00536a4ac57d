// Package gitlab has tools with types of another module.
package gitlab

import (
	"context"
	"encoding/json"

	gitlab "gitlab.com/gitlab-org/api/client-go"
)

// S serves.
//
//jp:server name=gitlab
//jp:foreign gitlab.* reason="Its module documents its API."
type S struct{}

// Value and Option are the result and the arguments.
var (
	Value  *gitlab.Issue
	Option gitlab.ListProjectIssuesOptions
)

// Get0 gets.
//
//jp:tool
func (S) Get0(ctx context.Context) (*gitlab.Issue, error) { return Value, nil }

// Put0 puts.
//
//jp:tool
func (S) Put0(ctx context.Context, in gitlab.ListProjectIssuesOptions) (string, error) {
	data, err := json.Marshal(&in)
	return string(data), err
}
