// caught by: vet JP715

// Package world03 deletes rows in a database.
package world03

import (
	"context"
	"database/sql"

	"example.com/wrong/kit"

	"github.com/jptool/jptool/sdk/fault"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct {
	db *sql.DB
}

// Save is the tool under test.
//
//jp:tool readonly=true
//jp:fails unavailable
func (s *Store) Save(ctx context.Context, in kit.Thing) (string, error) {
	if _, err := s.db.ExecContext(ctx, "DELETE FROM things WHERE name = ?", in.Name); err != nil {
		return "", fault.Wrap(err, fault.Unavailable, "the database did not answer")
	}
	return "done", nil
}
