package beartest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	_ "modernc.org/sqlite" // registers the SQLite driver
)

// Library is a library that is open for writing, as in a running Bear.
type Library struct {
	pool   *sql.DB
	conn   *sql.Conn // Bear uses one connection
	layout Layout
	notes  int
	tags   map[string]int64
}

// Create creates a library of notes at path and closes it. The directory must exist, and the file must not
// exist. With every layout, the result is a single file.
func Create(path string, layout Layout, notes ...Note) error {
	l, err := New(path, layout)
	if err != nil {
		return err
	}
	return errors.Join(l.Add(notes...), l.Close())
}

// New creates an empty library at path and keeps it open. The directory must exist, and the file must not exist.
func New(path string, layout Layout) (*Library, error) {
	mode := "delete"
	if layout.WAL {
		mode = "wal"
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	file := url.URL{Scheme: "file", Path: filepath.ToSlash(abs)}
	pool, err := sql.Open("sqlite", file.String()+"?_pragma=journal_mode("+mode+")")
	if err != nil {
		return nil, err
	}
	l := &Library{pool: pool, layout: layout, tags: map[string]int64{}}
	if l.conn, err = pool.Conn(context.Background()); err != nil {
		return nil, errors.Join(err, pool.Close())
	}
	if err := l.Exec(strings.Join(layout.statements(), ";")); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

// Close closes the library. SQLite then moves the write-ahead log into the file.
func (l *Library) Close() error { return errors.Join(l.conn.Close(), l.pool.Close()) }

// Exec runs SQL on the library's connection.
func (l *Library) Exec(statement string, args ...any) error {
	_, err := l.conn.ExecContext(context.Background(), statement, args...)
	return err
}

// Add inserts notes in one transaction. With a write-ahead log, they are in the log until Checkpoint or Close.
func (l *Library) Add(notes ...Note) error {
	if err := l.Exec("PRAGMA wal_autocheckpoint = 0"); err != nil {
		return err
	}
	if err := l.Exec("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	for _, n := range notes {
		if err := l.add(n); err != nil {
			return errors.Join(err, l.Exec("ROLLBACK"))
		}
	}
	return l.Exec("COMMIT")
}

// Checkpoint moves the write-ahead log into the file and truncates the log.
func (l *Library) Checkpoint() error { return l.Exec("PRAGMA wal_checkpoint(TRUNCATE)") }

func (l *Library) add(n Note) error {
	l.notes++
	pk := int64(l.notes)
	columns := []string{"Z_PK", "Z_ENT", "ZTRASHED", "ZMODIFICATIONDATE", "ZTITLE", "ZTEXT", "ZUNIQUEIDENTIFIER"}
	values := []any{pk, l.layout.note(), n.Trashed, coreData(n.Modified), n.Title, n.Text, n.id(l.notes)}
	if !l.layout.Old {
		columns = append(columns, "Z_OPT", "ZARCHIVED", "ZENCRYPTED", "ZPERMANENTLYDELETED")
		values = append(values, 1, n.Archived, n.Encrypted, n.Deleted)
	}
	marks := strings.Repeat(", ?", len(columns))[2:]
	if err := l.Exec(fmt.Sprintf("INSERT INTO ZSFNOTE (%s) VALUES (%s)", strings.Join(columns, ", "), marks), values...); err != nil {
		return err
	}
	return errors.Join(l.mark(pk, n.Tags, l.layout.link()), l.mark(pk, n.Pinned, l.layout.pin()))
}

// mark runs insert for a note and each of the tags.
func (l *Library) mark(note int64, tags []string, insert string) error {
	for _, name := range tags {
		tag, ok := l.tags[name]
		if !ok {
			tag = int64(len(l.tags) + 1)
			l.tags[name] = tag
			if err := l.Exec("INSERT INTO ZSFNOTETAG (Z_PK, Z_ENT, Z_OPT, ZTITLE) VALUES (?, ?, 1, ?)", tag, l.layout.tag(), name); err != nil {
				return err
			}
		}
		if err := l.Exec(insert, note, tag); err != nil {
			return err
		}
	}
	return nil
}
