// caught by: generator JP205

// Package w17 has two arguments with the same name.
package w17

import "context"

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct{}

// SaveInput holds the arguments of Save.
type SaveInput struct {
	// Name of the thing.
	Name string `json:"name"`
	// Title of the thing.
	Title string `json:"name"`
}

// Save is the tool under test.
//
//jp:tool
func (s *Store) Save(ctx context.Context, in SaveInput) (string, error) {
	return in.Name + in.Title, nil
}
