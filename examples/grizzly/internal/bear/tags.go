package bear

import (
	"context"
	"slices"
	"strings"
)

// TagName returns the name of a tag without its markup: it removes surrounding space, a leading #, and a
// trailing # if there is a leading one.
func TagName(tag string) string {
	tag = strings.TrimSpace(tag)
	if name, ok := strings.CutPrefix(tag, "#"); ok {
		tag = strings.TrimSpace(strings.TrimSuffix(name, "#"))
	}
	return tag
}

// Tags returns the names of all tags, sorted, without duplicates. A library without tags has an empty list. The
// error is a [Failure].
func (db *DB) Tags(ctx context.Context) ([]string, error) {
	var names []string
	err := db.read(ctx, func(v *view) error {
		names = nil
		if !v.schema.has(tagTable, "ZTITLE") {
			return nil
		}
		rows, err := v.conn.QueryContext(ctx, `SELECT CAST("ZTITLE" AS TEXT) FROM "ZSFNOTETAG" WHERE "ZTITLE" <> ''`)
		if err != nil {
			return err
		}
		defer func() { _ = rows.Close() }()
		for rows.Next() {
			var name string
			if err := rows.Scan(&name); err != nil {
				return err
			}
			names = append(names, name)
		}
		return rows.Err()
	})
	if err != nil {
		return nil, err
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// SimilarTags returns the existing tags that are similar to tag: first the tags that differ only in letter case,
// then its parents and children ("projects/jp" is a child of "projects"). It returns nothing if tag exists.
func SimilarTags(tag string, existing []string) []string {
	name := TagName(tag)
	if name == "" || slices.Contains(existing, name) {
		return nil
	}
	var same, related []string
	key := titleKey(name)
	for _, other := range existing {
		switch otherKey := titleKey(other); {
		case otherKey == key:
			same = append(same, other)
		case strings.HasPrefix(key, otherKey+"/"), strings.HasPrefix(otherKey, key+"/"):
			related = append(related, other)
		}
	}
	return append(same, related...)
}
