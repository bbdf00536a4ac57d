package index

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"

	_ "modernc.org/sqlite" // registers the SQLite driver
)

// version is the version of the schema and of the builder. It increases when either of them changes, so that an
// index from an older builder is not used.
const version = 1

// The catalog of all items is a single value, because a search reads one value about a hundred
// times faster than many rows. Each line is "ROW KIND TRAIT GROUP PATH", separated by tabs.
const schema = `
CREATE TABLE items (
	id INTEGER PRIMARY KEY,
	page TEXT NOT NULL, fragment TEXT NOT NULL,
	source TEXT NOT NULL, lines TEXT NOT NULL,
	declaration TEXT NOT NULL, documentation TEXT NOT NULL
);
CREATE TABLE catalog (lines TEXT NOT NULL);
`

// ErrUnusable is wrapped by errors from [Open] about a file that must be built again, because it is damaged or
// comes from another version of the builder.
var ErrUnusable = errors.New("the index must be rebuilt")

// Index is an opened index. It is only read and is safe for concurrent use by goroutines and processes.
type Index struct {
	db      *sql.DB
	entries []entry
}

// Open opens the index at path. Errors wrap [io/fs.ErrNotExist] if the file does not exist, or [ErrUnusable].
func Open(path string) (*Index, error) {
	if _, err := os.Stat(path); err != nil {
		return nil, err
	}
	db, err := open(path, "mode=ro&immutable=1")
	if err != nil {
		return nil, err
	}
	ix := &Index{db: db}
	if err := ix.load(); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return ix, nil
}

// Close closes the file.
func (ix *Index) Close() error { return ix.db.Close() }

// Len returns the number of items.
func (ix *Index) Len() int { return len(ix.entries) }

func (ix *Index) load() error {
	var found int
	if err := ix.db.QueryRow("PRAGMA user_version").Scan(&found); err != nil {
		return fmt.Errorf("%w: %w", ErrUnusable, err)
	}
	if found != version {
		return fmt.Errorf("%w: it has version %d, but this program reads version %d", ErrUnusable, found, version)
	}
	var lines string
	if err := ix.db.QueryRow("SELECT lines FROM catalog").Scan(&lines); err != nil {
		return fmt.Errorf("%w: %w", ErrUnusable, err)
	}
	var err error
	if ix.entries, err = readCatalog(lines); err != nil {
		return fmt.Errorf("%w: %w", ErrUnusable, err)
	}
	return nil
}

// open opens a database file. The path may contain any characters.
func open(path, options string) (*sql.DB, error) {
	full, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	name := url.URL{Scheme: "file", Path: filepath.ToSlash(full), RawQuery: options}
	return sql.Open("sqlite", name.String())
}

// inTx calls do in a transaction.
func inTx(ctx context.Context, db *sql.DB, do func(*sql.Tx) error) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := do(tx); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}
