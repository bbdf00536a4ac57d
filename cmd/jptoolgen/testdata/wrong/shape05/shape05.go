// caught by: generator JP202

// Package shape05 takes a type that contains itself.
package shape05

import "context"

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct{}

// SaveInput holds the arguments of Save.
type SaveInput struct {
	// Name of the thing.
	Name string `json:"name"`
	// Parent of the thing.
	Parent *SaveInput `json:"parent,omitempty"`
}

// Save is the tool under test.
//
//jp:tool
func (s *Store) Save(ctx context.Context, in SaveInput) (string, error) {
	return in.Name, nil
}
