// Package store has functions with side effects. The analyzer exports them as facts.
package store

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"

	"github.com/jptool/jptool/sdk/tool"
)

type Store struct {
	Dir string
	DB  *sql.DB
}

func (s *Store) Save(name string) error { return s.write(name) }

func (s *Store) write(name string) error {
	return os.WriteFile(filepath.Join(s.Dir, name), nil, 0o600)
}

func (s *Store) Count(ctx context.Context) (n int, err error) {
	err = s.DB.QueryRowContext(ctx, "SELECT count(*) FROM things").Scan(&n)
	return n, err
}

func (s *Store) Reserve(ctx context.Context) (string, error) {
	return tool.Once(ctx, "reserve", func(context.Context) (string, error) { return "x", s.write("x") })
}
