// caught by: generator JP404

// Package w40 has a tool without a context.
package w40

import "example.com/wrong/kit"

// Store keeps things.
//
//jp:server clients=mcp
type Store struct{}

// Save saves a thing.
//
//jp:tool
func (s *Store) Save(in kit.Thing) (string, error) { return in.Name, nil }
