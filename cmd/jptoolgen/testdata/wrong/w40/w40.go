// caught by: generator JP404

// Package w40 has a tool without a context.
package w40

import "example.com/wrong/kit"

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct{}

// Save is the tool under test.
//
//jp:tool
func (s *Store) Save(in kit.Thing) (string, error) { return in.Name, nil }
