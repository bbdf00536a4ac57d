package bear

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"
)

// Info describes a note without its text.
type Info struct {
	// Id of the note, a UUID in uppercase.
	ID string `json:"id"`
	// Title of the note; empty if it has none.
	Title string `json:"title"`
	// Tags of the note, without #, sorted.
	Tags []string `json:"tags"`
	// Time of the last change in UTC, if known.
	Modified time.Time `json:"modified,omitzero"`
	// Whether the note is archived.
	Archived bool `json:"archived,omitempty"`
	// Whether the note is encrypted, so only Bear can read its text.
	Encrypted bool `json:"encrypted,omitempty"`
}

// Note is a note with its text.
type Note struct {
	Info
	Body Body
	Size int // size of the whole text in bytes
}

// Get reads notes by id, in the order of ids. If an id is repeated, its note is returned again. Get also returns
// the missing ids, each once; notes in the trash and permanently deleted notes count as missing. Encrypted notes
// have an empty body. limit is the maximum number of bytes of each note, or [DefaultBody] if it is not positive.
// The error is a [Failure].
func (db *DB) Get(ctx context.Context, ids []string, lines Lines, limit int) (notes []Note, missing []string, err error) {
	if limit <= 0 {
		limit = DefaultBody
	}
	err = db.read(ctx, func(v *view) error {
		notes, missing = nil, nil
		found, pks := map[string]Note{}, map[string]int64{}
		query := v.schema.textsQuery() + ` AND n."ZUNIQUEIDENTIFIER" IN (SELECT value FROM json_each(?))`
		err := v.each(ctx, query, []any{list(ids)}, func(r row) {
			if other, ok := found[r.info.ID]; ok && other.Modified.After(r.info.Modified) {
				return // a duplicate row, left by synchronization
			}
			found[r.info.ID] = Note{Info: r.info, Body: excerpt(r.text, lines, limit), Size: len(r.text)}
			pks[r.info.ID] = r.pk
		})
		if err != nil {
			return err
		}
		tags, err := v.tagsOf(ctx, slices.Collect(maps.Values(pks)))
		if err != nil {
			return err
		}
		for _, id := range ids {
			if n, ok := found[id]; ok {
				n.Tags = tags[pks[id]]
				notes = append(notes, n)
			} else if !slices.Contains(missing, id) {
				missing = append(missing, id)
			}
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	return notes, missing, nil
}

// ByTitle returns the notes with the given title, newest first, at most 20. It ignores case and surrounding
// space. An empty title matches no notes. The error is a [Failure].
func (db *DB) ByTitle(ctx context.Context, title string) ([]Info, error) {
	const limit = 20
	want := titleKey(title)
	if want == "" {
		return nil, nil
	}
	var infos []Info
	err := db.read(ctx, func(v *view) error {
		infos = nil
		var same []candidate
		err := v.each(ctx, v.schema.titlesQuery(), nil, func(r row) {
			if titleKey(r.info.Title) == want {
				same = append(same, r.candidate())
			}
		})
		if err != nil {
			return err
		}
		rows, err := v.load(ctx, best(same, limit).pks)
		for _, r := range rows {
			infos = append(infos, r.info)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return infos, nil
}

// minPrefix is the minimum length of the beginning of an id. Models shorten ids as people shorten the hashes of commits.
const minPrefix = 6

// ByPrefix returns the id that begins with text, in any case and without an ellipsis at its end, or "" if no id or
// several ids do. The error is a [Failure].
func (db *DB) ByPrefix(ctx context.Context, text string) (id string, err error) {
	prefix := strings.ToUpper(strings.TrimRight(text, ".…"))
	if len(prefix) < minPrefix {
		return "", nil
	}
	err = db.read(ctx, func(v *view) error {
		id = ""
		several := false
		err := v.each(ctx, v.schema.titlesQuery(), nil, func(r row) {
			if strings.HasPrefix(strings.ToUpper(r.info.ID), prefix) {
				several = several || id != ""
				id = r.info.ID
			}
		})
		if several {
			id = ""
		}
		return err
	})
	return id, err
}

// titleKey returns a key that is equal for titles that differ only in case and surrounding space.
func titleKey(title string) string { return strings.Map(fold, strings.TrimSpace(title)) }
