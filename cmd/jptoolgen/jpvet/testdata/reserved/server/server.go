// Package server imports a package that is reserved for generated code.
package server

import (
	"context"

	_ "github.com/jptool/jptool/sdk/gen/bind"         // want `JP413: `
	_ "github.com/jptool/jptool/sdk/tool/gen/handler" // want `JP413: package github.com/jptool/jptool/sdk/tool/gen/handler is reserved for generated code`
)

// Server has a tool.
//
//jp:server clients=mcp
type Server struct{}

// Do does nothing.
//
//jp:tool
func (Server) Do(context.Context) error { return nil }
