// Package source has findings of the generator.
package source

import "context"

// Server is the server of this package.
//
//jp:server
type Server struct{}

//jp:tool
func (Server) Do(ctx context.Context) error { return nil } // want `JP501: tool do has no comment; add a comment that describes what it does`

// want +2 `JP101: unknown directive //jp:sever; did you mean //jp:server\?`

//jp:sever
type Other struct{}
