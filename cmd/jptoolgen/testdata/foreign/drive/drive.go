// Package drive has tools with types of another module.
package drive

import (
	"context"
	"encoding/json"

	"google.golang.org/api/drive/v3"
)

// S serves.
//
//jp:server name=drive
//jp:foreign drive.* reason="Google documents its API."
type S struct{}

// Value and Option are the result and the arguments.
var (
	Value  *drive.File
	Option drive.File
)

// Get0 gets.
//
//jp:tool
func (S) Get0(ctx context.Context) (*drive.File, error) { return Value, nil }

// Put0 puts.
//
//jp:tool
func (S) Put0(ctx context.Context, in drive.File) (string, error) {
	data, err := json.Marshal(&in)
	return string(data), err
}
