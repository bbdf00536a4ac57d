// caught by: generator JP201

// Package w50 takes a value of any type.
package w50

import "context"

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct{}

// SaveInput holds the arguments of Save.
type SaveInput struct {
	// Value is any value.
	Value interface{ String() string } `json:"value"`
}

// Save is the tool under test.
//
//jp:tool
func (s *Store) Save(ctx context.Context, in SaveInput) (string, error) {
	return "", nil
}
