// Package aliases has former names.
package aliases

import "context"

// Server has tools that had other names.
//
//jp:server
type Server struct{}

// want +5 `JP709: former name did of tool do expired on 2026-06-30; delete it` `JP709: former name done`

// Do does nothing.
//
//jp:tool name=do
//jp:alias done did until=2026-06-30
func (Server) Do(ctx context.Context) error { return nil }

// Today has a former name that expires today. It still works.
//
//jp:tool name=today
//jp:alias now until=2026-07-01
func (Server) Today(ctx context.Context) error { return nil }
