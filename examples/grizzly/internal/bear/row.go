package bear

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
)

// row is a live note as stored in the table.
type row struct {
	pk       int64
	info     Info    // load sets the tags
	modified float64 // seconds in Core Data time; minus infinity if unknown
	text     string  // empty for an encrypted note
}

// epoch is the epoch of Core Data, 2001-01-01 00:00:00 UTC, in Unix time.
const epoch = 978307200

// at converts Core Data seconds to a time. If the year does not have four digits, it returns the zero time.
func at(seconds sql.NullFloat64) time.Time {
	const years = 1e4 * 366 * 86400
	if !seconds.Valid || !(math.Abs(seconds.Float64) < years) {
		return time.Time{}
	}
	t := time.Unix(epoch+int64(math.Floor(seconds.Float64)), 0).UTC()
	if t.Year() < 1 || t.Year() > 9999 {
		return time.Time{}
	}
	return t
}

// liveCondition returns the condition that a note has an id and is neither in the trash nor permanently deleted.
func (s schema) liveCondition() string {
	return fmt.Sprintf(`COALESCE(%s, 0) = 0 AND COALESCE(%s, 0) = 0 AND n."ZUNIQUEIDENTIFIER" IS NOT NULL`,
		s.column("ZTRASHED", "0"), s.column("ZPERMANENTLYDELETED", "0"))
}

// textsQuery returns an SQL query for all live notes. The caller can append conditions on n with AND.
func (s schema) textsQuery() string {
	return s.rowQuery(fmt.Sprintf(`CASE WHEN COALESCE(%s, 0) = 0 THEN COALESCE(CAST(%s AS TEXT), '') ELSE '' END`,
		s.column("ZENCRYPTED", "0"), s.column("ZTEXT", "''")))
}

// titlesQuery returns the same query as textsQuery, but without the text of notes.
func (s schema) titlesQuery() string { return s.rowQuery("''") }

// rowQuery returns a query with three columns: the key combined with the flags, the date of the last change,
// and the id, title and text of a note. NUL characters, which do not occur in Bear's text, separate the last
// three.
func (s schema) rowQuery(text string) string {
	return fmt.Sprintf(`SELECT 4 * n."Z_PK" + (COALESCE(%s, 0) <> 0) + 2 * (COALESCE(%s, 0) <> 0), CAST(%s AS REAL),
		n."ZUNIQUEIDENTIFIER" || char(0) || COALESCE(CAST(%s AS TEXT), '') || char(0) || %s FROM "ZSFNOTE" n WHERE %s`,
		s.column("ZARCHIVED", "0"), s.column("ZENCRYPTED", "0"), s.column("ZMODIFICATIONDATE", "NULL"),
		s.column("ZTITLE", "''"), text, s.liveCondition())
}

// each runs a query made by textsQuery or titlesQuery and calls fn with each row.
func (v *view) each(ctx context.Context, query string, args []any, fn func(row)) error {
	rows, err := v.conn.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	var r row
	var modified sql.NullFloat64
	var key int64
	var texts string
	columns := []any{&key, &modified, &texts} // few columns, because SQLite takes a long time to return each one
	for rows.Next() {
		if err := rows.Scan(columns...); err != nil {
			return err
		}
		r.pk, r.info.Archived, r.info.Encrypted = key>>2, key&1 != 0, key&2 != 0
		r.info.ID, texts, _ = strings.Cut(texts, "\x00")
		r.info.Title, r.text, _ = strings.Cut(texts, "\x00")
		r.modified, r.info.Modified = modified.Float64, at(modified)
		if r.info.Modified.IsZero() {
			r.modified = math.Inf(-1)
		}
		fn(r)
	}
	return rows.Err()
}

// load reads the notes with their text and tags, in the order of pks.
func (v *view) load(ctx context.Context, pks []int64) ([]row, error) {
	byKey := make(map[int64]row, len(pks))
	query := v.schema.textsQuery() + ` AND n."Z_PK" IN (SELECT value FROM json_each(?))`
	if err := v.each(ctx, query, []any{list(pks)}, func(r row) { byKey[r.pk] = r }); err != nil {
		return nil, err
	}
	tags, err := v.tagsOf(ctx, pks)
	if err != nil {
		return nil, err
	}
	rows := make([]row, 0, len(pks))
	for _, pk := range pks {
		if r, ok := byKey[pk]; ok {
			r.info.Tags = tags[pk]
			rows = append(rows, r)
		}
	}
	return rows, nil
}

// tagsOf returns the tags of notes, sorted and without duplicates.
func (v *view) tagsOf(ctx context.Context, pks []int64) (map[int64][]string, error) {
	tags := map[int64][]string{}
	condition := ` AND j.` + v.schema.link.note + ` IN (SELECT value FROM json_each(?))`
	err := v.eachTag(ctx, condition, []any{list(pks)}, func(pk int64, name string) {
		tags[pk] = append(tags[pk], name)
	})
	for pk, names := range tags {
		slices.Sort(names)
		tags[pk] = slices.Compact(names)
	}
	return tags, err
}

// eachTag calls fn with each link j between a note and a tag that satisfies condition, in no particular order.
func (v *view) eachTag(ctx context.Context, condition string, args []any, fn func(pk int64, name string)) error {
	l := v.schema.link
	if l.table == "" {
		return nil
	}
	rows, err := v.conn.QueryContext(ctx, `SELECT j.`+l.note+`, CAST(t."ZTITLE" AS TEXT) FROM `+l.join()+
		` WHERE j.`+l.note+` IS NOT NULL AND t."ZTITLE" <> ''`+condition, args...)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	var pk int64
	var name string
	columns := []any{&pk, &name}
	for rows.Next() {
		if err := rows.Scan(columns...); err != nil {
			return err
		}
		fn(pk, name)
	}
	return rows.Err()
}

// list encodes strings or keys as JSON for json_each, so that a list of any length is one argument.
func list[T string | int64](values []T) string {
	text, err := json.Marshal(values)
	if err != nil {
		panic(err) // strings and integers can always be encoded
	}
	return string(text)
}
