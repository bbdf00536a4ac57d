package bear

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// wordIndex finds words in live notes and ranks the notes. It is built from the first view that is searched,
// kept in memory, and rebuilt when the library changes.
type wordIndex struct {
	limit int64
	busy  chan struct{} // holds one token: the index has one user at a time

	pool  *sql.DB // nil until built; one connection, which owns the index
	notes map[int64]*entry
	built version
	full  bool // the index of this version exceeds the limit
}

// entry has the fields of an indexed note that, besides its words, determine its rank.
type entry struct {
	candidate
	title string // its titleKey
	tags  []string
}

// fits applies the filters of a plan.
func (e *entry) fits(p plan) bool {
	for _, tag := range p.tags {
		if !slices.Contains(e.tags, tag) {
			return false
		}
	}
	return len(p.ids) == 0 || slices.Contains(p.ids, e.id)
}

// version identifies a state of a library. Normally the times and sizes of the files identify it. The other
// fields detect changes that are faster than the resolution of file times: SQLite's own data_version only
// compares states on one connection, and a connection that stays open would keep Bear from checkpointing its
// log.
type version struct {
	files    state
	notes    int64
	modified float64
	edits    float64 // sum of the change counters that Core Data keeps for each row
}

func (a version) same(b version) bool {
	return a.notes == b.notes && a.modified == b.modified && a.edits == b.edits && a.files.same(b.files)
}

func newWordIndex(limit int64) *wordIndex {
	return &wordIndex{limit: limit, busy: make(chan struct{}, 1)}
}

func (w *wordIndex) close() error {
	w.busy <- struct{}{}
	defer func() { <-w.busy }()
	return w.drop()
}

// drop discards the index.
func (w *wordIndex) drop() error {
	pool := w.pool
	w.pool, w.notes, w.built, w.full = nil, nil, version{}, false
	if pool == nil {
		return nil
	}
	return pool.Close()
}

// search returns the notes in v that match the filters and contain every query as a phrase of words. It returns
// no notes if the index would exceed its limit.
func (w *wordIndex) search(ctx context.Context, v *view, p plan) (ranking, error) {
	if w.limit < 0 {
		return ranking{}, nil
	}
	select {
	case w.busy <- struct{}{}:
		defer func() { <-w.busy }()
	case <-ctx.Done():
		return ranking{}, ctx.Err()
	}
	now, err := v.version(ctx)
	if err != nil {
		return ranking{}, err
	}
	if !w.built.same(now) {
		if err := w.build(ctx, v, now); err != nil {
			return ranking{}, err
		}
	}
	if w.full {
		return ranking{}, nil
	}
	found, err := w.query(ctx, p)
	if err != nil && ctx.Err() == nil {
		_ = w.drop() // the next call builds it again; err has the reason
	}
	return found, err
}

func (v *view) version(ctx context.Context) (version, error) {
	now := version{files: v.state}
	err := v.conn.QueryRowContext(ctx, fmt.Sprintf(`SELECT COUNT(*), COALESCE(MAX(CAST(%s AS REAL)), 0), TOTAL(%s) FROM "ZSFNOTE" n`,
		v.schema.column("ZMODIFICATIONDATE", "0"), v.schema.column("Z_OPT", "0"))).Scan(&now.notes, &now.modified, &now.edits)
	return now, err
}

//jp:allow JP715 reason="the index is in memory"
func (w *wordIndex) build(ctx context.Context, v *view, now version) (err error) {
	if err := w.drop(); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = w.drop() // the error that stopped the building is more important
		}
		if isFull(err) {
			w.built, w.full, err = now, true, nil
		}
	}()
	if w.pool, err = memory(w.limit); err != nil {
		return err
	}
	tx, err := w.pool.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // no effect after Commit
	// Words are collected in large batches and merged once, because merging small batches repeatedly would take
	// most of the time.
	for _, statement := range []string{
		`CREATE VIRTUAL TABLE words USING fts5(title, body, content='', tokenize='unicode61 remove_diacritics 2')`,
		`INSERT INTO words (words, rank) VALUES ('hashsize', 33554432), ('automerge', 0)`,
	} {
		if _, err := tx.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	if err := w.copyNotes(ctx, v, tx); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	w.built = now
	return nil
}

// memory opens an in-memory database that cannot grow above limit bytes.
func memory(limit int64) (*sql.DB, error) {
	const pageSize = 4096 // SQLite's default
	connector, err := sqlite.NewConnector(fmt.Sprintf(
		"file::memory:?_pragma=max_page_count(%d)&_pragma=journal_mode(off)&_pragma=temp_store(memory)", max(limit/pageSize, 1)))
	if err != nil {
		return nil, err
	}
	pool := sql.OpenDB(connector)
	pool.SetMaxOpenConns(1)
	return pool, nil
}

func isFull(err error) bool {
	var coded *sqlite.Error
	return errors.As(err, &coded) && coded.Code()&0xff == sqlite3.SQLITE_FULL
}

func (w *wordIndex) copyNotes(ctx context.Context, v *view, tx *sql.Tx) error {
	insert, err := tx.PrepareContext(ctx, `INSERT INTO words (rowid, title, body) VALUES (?, ?, ?)`)
	if err != nil {
		return err
	}
	w.notes = map[int64]*entry{}
	var failed error
	err = v.each(ctx, v.schema.textsQuery(), nil, func(r row) {
		if failed == nil {
			w.notes[r.pk] = &entry{candidate: r.candidate(), title: titleKey(r.info.Title)}
			_, failed = insert.ExecContext(ctx, r.pk, r.info.Title, r.text)
		}
	})
	if err := cmp.Or(failed, err); err != nil {
		return err
	}
	names := map[string]string{} // one string for all notes of a tag
	return v.eachTag(ctx, "", nil, func(pk int64, name string) {
		if e := w.notes[pk]; e != nil {
			if names[name] == "" {
				names[name] = name
			}
			e.tags = append(e.tags, names[name])
		}
	})
}

// query searches the index and applies the filters.
func (w *wordIndex) query(ctx context.Context, p plan) (ranking, error) {
	phrases := make([]string, len(p.needles))
	for i, n := range p.needles {
		phrases[i] = quote(n.text)
	}
	rows, err := w.pool.QueryContext(ctx, `SELECT rowid, bm25(words) FROM words WHERE words MATCH ?`, strings.Join(phrases, " AND "))
	if err != nil {
		return ranking{}, err
	}
	defer func() { _ = rows.Close() }()
	titles := p.titleKeys()
	var all []candidate
	var pk int64
	var score float64
	columns := []any{&pk, &score}
	for rows.Next() {
		if err := rows.Scan(columns...); err != nil {
			return ranking{}, err
		}
		e := w.notes[pk]
		if !e.fits(p) {
			continue
		}
		c := e.candidate
		c.score = -score // a lower bm25 is better
		if slices.Contains(titles, e.title) {
			c.score = math.Inf(1)
		}
		all = append(all, c)
	}
	return best(all, p.limit), rows.Err()
}
