// caught by: vet JP715

// Package world03 deletes rows in a database.
package world03

import (
	"context"
	"database/sql"

	"example.com/wrong/kit"

	"github.com/jptool/jptool/sdk/fault"
)

// Store keeps things.
//
//jp:server clients=mcp
type Store struct {
	db *sql.DB
}

// Save saves a thing.
//
//jp:tool readonly=true
//jp:fails unavailable
func (s *Store) Save(ctx context.Context, in kit.Thing) (string, error) {
	if _, err := s.db.ExecContext(ctx, "DELETE FROM things WHERE name = ?", in.Name); err != nil {
		return "", fault.Wrap(err, fault.Unavailable, "the database did not answer")
	}
	return "done", nil
}
