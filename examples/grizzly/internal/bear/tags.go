package bear

import (
	"context"
	"slices"
	"strings"
)

// TagName is a tag's name without what marks it as one in a text: space around
// it, a leading #, and a # at the end when there was one at the beginning.
func TagName(tag string) string {
	tag = strings.TrimSpace(tag)
	if name, ok := strings.CutPrefix(tag, "#"); ok {
		tag = strings.TrimSpace(strings.TrimSuffix(name, "#"))
	}
	return tag
}

// Tags lists the names of all tags, sorted, each once. A library without tags has
// none; that is no error. The error is a [Failure].
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

// SimilarTags picks from existing the tags that someone who writes tag may have
// meant: first those that differ in letter case only, then parents and children,
// of which "projects/jp" is one of "projects". A tag that exists has no similar ones.
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
