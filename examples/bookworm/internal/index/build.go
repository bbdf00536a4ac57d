// Package index searches the items of a crate by parts of their names. The index is a file that is built once
// from the documentation for the crate and then only read.
package index

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"golang.org/x/sync/errgroup"

	"github.com/jptool/jptool/examples/bookworm/internal/rustdoc"
)

// ErrNoItems reports an archive without pages of items.
var ErrNoItems = errors.New("the archive contains no items in a format that rustdoc 1.63 to 1.95 generates")

// Build writes the index of a crate's documentation to dest. It writes a temporary file in the same directory
// and renames it, so dest is complete at all times. It parses a few pages at a time on every core. It skips
// pages that show no item or are too large. It returns an error if a page cannot be read, or if the archive has
// no items ([ErrNoItems]) or no library ([rustdoc.ErrNotFound]).
//
//jp:allow JP715 reason="the index is a part of the cache"
func Build(ctx context.Context, fsys fs.FS, crate, dest string) (err error) {
	docs, err := rustdoc.Open(fsys, crate)
	if err != nil {
		return err
	}
	temp, err := os.CreateTemp(filepath.Dir(dest), filepath.Base(dest)+".*.tmp")
	if err != nil {
		return fmt.Errorf("build the index: %w", err)
	}
	defer func() {
		if err != nil {
			err = fmt.Errorf("build the index of %s: %w", crate, errors.Join(err, os.Remove(temp.Name())))
		}
	}()
	if err := temp.Close(); err != nil {
		return err
	}
	if err := write(ctx, docs, temp.Name()); err != nil {
		return err
	}
	return os.Rename(temp.Name(), dest)
}

// write fills the empty file at path. It needs no journal, because the file is not read before it is complete.
func write(ctx context.Context, docs *rustdoc.Docs, path string) (err error) {
	db, err := open(path, "_pragma=journal_mode(off)&_pragma=synchronous(off)")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	err = inTx(ctx, db, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, schema); err != nil {
			return err
		}
		var c catalog
		if err := insert(ctx, tx, docs, &c); err != nil {
			return err
		}
		if len(c.entries) == 0 {
			return ErrNoItems
		}
		_, err := tx.ExecContext(ctx, "INSERT INTO catalog VALUES (?)", c.String())
		return err
	})
	if err != nil {
		return err
	}
	if _, err := db.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", version)); err != nil {
		return err
	}
	return sync(path)
}

// sync flushes the content to disk. It is called before the file gets its final name.
func sync(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

func insert(ctx context.Context, tx *sql.Tx, docs *rustdoc.Docs, c *catalog) error {
	stmt, err := tx.PrepareContext(ctx, "INSERT INTO items VALUES (?, ?, ?, ?, ?, ?, ?)")
	if err != nil {
		return err
	}
	defer stmt.Close()
	return parse(ctx, docs, func(items []rustdoc.Item) error {
		for _, it := range items {
			if _, err := stmt.ExecContext(ctx, c.add(it), it.Page, it.Fragment, it.Source, it.Lines, it.Declaration, it.Documentation); err != nil {
				return err
			}
		}
		return nil
	})
}

// parse parses every page and calls do with the items of each page, one page at a time. The items of a page are
// in order; the order of pages is undefined.
func parse(ctx context.Context, docs *rustdoc.Docs, do func([]rustdoc.Item) error) error {
	g, ctx := errgroup.WithContext(ctx)
	names, parsed := make(chan string), make(chan []rustdoc.Item)
	g.Go(func() error {
		defer close(names)
		for name, err := range docs.Pages(ctx) {
			if err != nil {
				return err
			}
			select {
			case names <- name:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
	workers, workCtx := errgroup.WithContext(ctx)
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() error {
			for name := range names {
				items, err := docs.Items(name)
				if err != nil {
					return err
				}
				select {
				case parsed <- items:
				case <-workCtx.Done():
					return workCtx.Err()
				}
			}
			return nil
		})
	}
	g.Go(func() error {
		defer close(parsed)
		return workers.Wait()
	})
	g.Go(func() error {
		for items := range parsed {
			if err := do(items); err != nil {
				return err
			}
		}
		return nil
	})
	return g.Wait()
}
