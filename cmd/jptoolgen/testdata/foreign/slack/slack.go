// Package slack has tools with types of another module.
package slack

import (
	"context"
	"encoding/json"

	"github.com/slack-go/slack"
)

// S serves.
//
//jp:server name=slack
//jp:foreign slack.* reason="Its module documents its API."
type S struct{}

// Value and Option are the result and the arguments.
var (
	Value  *slack.GetConversationHistoryResponse
	Option slack.GetConversationHistoryParameters
)

// Get0 gets.
//
//jp:tool
func (S) Get0(ctx context.Context) (*slack.GetConversationHistoryResponse, error) { return Value, nil }

// Put0 puts.
//
//jp:tool
func (S) Put0(ctx context.Context, in slack.GetConversationHistoryParameters) (string, error) {
	data, err := json.Marshal(&in)
	return string(data), err
}
