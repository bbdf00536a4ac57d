// Package elsewhere serves a type of another package.
package elsewhere

import (
	"context"

	"example.com/m/elsewhere/types"
)

// Server is the server of this package.
//
//jp:server
type Server struct{} // want `JP501: types/types.go:6:2: field Bare has no comment; add a comment that explains it to a model`

// Do does nothing.
//
//jp:tool
func (Server) Do(ctx context.Context, in types.Input) error { return nil }
