package bear

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// schema holds the names of a library's tables. Core Data numbers its entities and includes the
// numbers in the names of the table that links notes and tags. They are currently Z_5TAGS with
// Z_5NOTES and Z_13TAGS, but other versions of Bear use other numbers.
type schema struct {
	tables map[string][]string // columns, keyed by table
	link   link                // zero if the library has no tags
}

// link is the table that links notes and tags, with names quoted for SQL.
type link struct{ table, note, tag string }

const (
	noteTable = "ZSFNOTE"
	tagTable  = "ZSFNOTETAG"
	keyTable  = "Z_PRIMARYKEY"
)

// discover reads the names. It returns [ErrNotBear] if there is no table of notes.
func discover(ctx context.Context, conn *sql.Conn) (schema, error) {
	s := schema{tables: map[string][]string{}}
	rows, err := conn.QueryContext(ctx, `SELECT t.name, c.name FROM sqlite_master t, pragma_table_info(t.name) c
		WHERE t.type = 'table' AND (t.name GLOB 'Z_[0-9]*' OR t.name IN (?, ?, ?))`, noteTable, tagTable, keyTable)
	if err != nil {
		return schema{}, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var table, column string
		if err := rows.Scan(&table, &column); err != nil {
			return schema{}, err
		}
		s.tables[table] = append(s.tables[table], column)
	}
	if err := rows.Err(); err != nil {
		return schema{}, err
	}
	if !s.has(noteTable, "Z_PK") || !s.has(noteTable, "ZUNIQUEIDENTIFIER") {
		return schema{}, ErrNotBear
	}
	if s.has(tagTable, "Z_PK") && s.has(tagTable, "ZTITLE") {
		s.link, err = s.findLink(ctx, conn)
	}
	return s, err
}

func (s schema) has(table, column string) bool { return slices.Contains(s.tables[table], column) }

// column returns the SQL for a column of a note, or fallback if the library does not have the
// column.
func (s schema) column(name, fallback string) string {
	if s.has(noteTable, name) {
		return "n." + quote(name)
	}
	return fallback
}

func quote(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// findLink finds the link table by Core Data's entity numbers, or guesses it from the names.
func (s schema) findLink(ctx context.Context, conn *sql.Conn) (link, error) {
	if s.has(keyTable, "Z_ENT") && s.has(keyTable, "Z_NAME") {
		var note, tag int64
		err := conn.QueryRowContext(ctx, `SELECT a.Z_ENT, b.Z_ENT FROM Z_PRIMARYKEY a, Z_PRIMARYKEY b
			WHERE a.Z_NAME = 'SFNote' AND b.Z_NAME = 'SFNoteTag'`).Scan(&note, &tag)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return link{}, err
		}
		table, noteCol, tagCol := fmt.Sprintf("Z_%dTAGS", note), fmt.Sprintf("Z_%dNOTES", note), fmt.Sprintf("Z_%dTAGS", tag)
		if err == nil && s.has(table, noteCol) && s.has(table, tagCol) {
			return link{quote(table), quote(noteCol), quote(tagCol)}, nil
		}
	}
	return s.guessLink(ctx, conn)
}

// guessLink returns the first table with matching names that links an existing note to an existing
// tag, or else the first table with matching names. The tables for pinned notes have similar names.
func (s schema) guessLink(ctx context.Context, conn *sql.Conn) (link, error) {
	var found []link
	tables := make([]string, 0, len(s.tables))
	for t := range s.tables {
		tables = append(tables, t)
	}
	slices.Sort(tables)
	linkName, noteName, tagName := regexp.MustCompile(`^Z_\d+(TAGS|NOTES)$`), regexp.MustCompile(`^Z_\d+NOTES$`), regexp.MustCompile(`^Z_\d+TAGS$`)
	for _, t := range tables {
		note := slices.IndexFunc(s.tables[t], noteName.MatchString)
		tag := slices.IndexFunc(s.tables[t], tagName.MatchString)
		if linkName.MatchString(t) && note >= 0 && tag >= 0 {
			found = append(found, link{quote(t), quote(s.tables[t][note]), quote(s.tables[t][tag])})
		}
	}
	for _, l := range found {
		var used bool
		err := conn.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM `+l.join()+` JOIN "ZSFNOTE" n ON n."Z_PK" = j.`+l.note+`)`).Scan(&used)
		if err != nil {
			return link{}, err
		}
		if used {
			return l, nil
		}
	}
	return append(found, link{})[0], nil
}

// join returns the FROM clause of links j with their tags t.
func (l link) join() string {
	return l.table + ` j JOIN "ZSFNOTETAG" t ON t."Z_PK" = j.` + l.tag
}
