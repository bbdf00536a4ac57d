// caught by: nothing (control)

// Package right34 distinguishes errors.
package right34

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

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
//jp:tool
//jp:fails not_found
func (s *Store) Save(ctx context.Context) (string, error) {
	var n int
	err := s.db.QueryRowContext(ctx, "SELECT 1").Scan(&n)
	if errors.Is(err, sql.ErrNoRows) {
		return "", fault.New(fault.NotFound, "there is nothing")
	}
	return fmt.Sprint(n), err
}
