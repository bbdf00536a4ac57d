// caught by: generator JP209

// Package shape07 has an invalid default.
package shape07

import "context"

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct{}

// SaveInput holds the arguments of Save.
type SaveInput struct {
	// Count of the things.
	Count int `json:"count" jsonschema:"minimum=1,default=0"`
}

// Save is the tool under test.
//
//jp:tool
func (s *Store) Save(ctx context.Context, in SaveInput) (string, error) {
	return "", nil
}
