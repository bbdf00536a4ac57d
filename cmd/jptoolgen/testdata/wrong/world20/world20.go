// caught by: vet JP715

// Package world20 appends to a file in a read-only tool.
package world20

import (
	"context"
	"errors"
	"os"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct{}

// Save is the tool under test.
//
//jp:tool readonly=true
func (s *Store) Save(ctx context.Context) (string, error) {
	f, err := os.OpenFile("history", os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return "", err
	}
	_, err = f.WriteString("looked\n")
	return "", errors.Join(err, f.Close())
}
