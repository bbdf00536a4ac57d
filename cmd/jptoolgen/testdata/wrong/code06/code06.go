// caught by: vet JP720

// Package code06 returns an error with the password of its database.
package code06

import (
	"context"
	"database/sql"
	"fmt"

	"example.com/wrong/kit"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct {
	db *sql.DB
}

// Save is the tool under test.
//
//jp:tool
func (s *Store) Save(ctx context.Context, in kit.Thing) (string, error) {
	if err := s.db.PingContext(ctx); err != nil {
		return "", fmt.Errorf("connect postgres://admin:hunter2@db: %w", err)
	}
	return "done", nil
}
