// caught by: vet JP720

// Package code02 returns an error from another package.
package code02

import (
	"context"
	"fmt"
	"strconv"

	"example.com/wrong/kit"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct{}

// Save is the tool under test.
//
//jp:tool
func (s *Store) Save(ctx context.Context, in kit.Thing) (string, error) {
	n, err := strconv.Atoi(in.Name)
	if err != nil {
		return "", err
	}
	return fmt.Sprint(n), nil
}
