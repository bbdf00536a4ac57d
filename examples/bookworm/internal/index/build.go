// Package index finds the items of a crate by parts of their names, in a file that is built
// once from the crate's documentation and then only read.
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

// ErrNoItems says that an archive holds no page of an item.
var ErrNoItems = errors.New("the archive holds no documentation of items as rustdoc 1.63 to 1.95 writes it")

// Build writes the index of a crate's documentation to dest: into a file beside it first, which
// then takes its name, so that dest is whole at any time. Pages are read and parsed on every core,
// a few at a time. A page that shows no item, or is too large for one, is passed over; one that cannot be read
// fails the build, and so does an archive without items ([ErrNoItems]) or without a library
// ([rustdoc.ErrNotFound]).
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

// write fills the empty file at path. It needs no journal: until it is whole, nobody reads it.
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

// sync makes sure that the content is on the disk before the name is.
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

// parse hands the items of every page to do, which is called by one goroutine at a time. The
// items of a page stay together and in order; the order of pages may be any.
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
