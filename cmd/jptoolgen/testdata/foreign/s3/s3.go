// Package s3 has tools with types of another module.
package s3

import (
	"context"
	"encoding/json"

	"github.com/aws/aws-sdk-go-v2/service/s3"
)

// S serves.
//
//jp:server name=s3
//jp:foreign s3.* reason="Its module documents its API."
type S struct{}

// Value and Option are the result and the arguments.
var (
	Value  *s3.ListObjectsV2Output
	Option s3.ListObjectsV2Input
)

// Get0 gets.
//
//jp:tool
func (S) Get0(ctx context.Context) (*s3.ListObjectsV2Output, error) { return Value, nil }

// Put0 puts.
//
//jp:tool
func (S) Put0(ctx context.Context, in s3.ListObjectsV2Input) (string, error) {
	data, err := json.Marshal(&in)
	return string(data), err
}
