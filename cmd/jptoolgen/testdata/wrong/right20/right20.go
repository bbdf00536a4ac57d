// caught by: nothing (control)

// Package right20 reads a database.
package right20

import (
	"context"
	"database/sql"
	"fmt"

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
//jp:tool readonly=true openworld=false
//jp:fails unavailable
func (s *Store) Save(ctx context.Context, in kit.Thing) (string, error) {
	var n int
	if err := s.db.QueryRowContext(ctx, "SELECT count(*) FROM things WHERE name = ?", in.Name).Scan(&n); err != nil {
		return "", fault.Wrap(err, fault.Unavailable, "the database did not answer")
	}
	return fmt.Sprint(n), nil
}
