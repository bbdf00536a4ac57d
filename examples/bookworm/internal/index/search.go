package index

import (
	"context"
	"fmt"
	"slices"

	"github.com/jptool/jptool/examples/bookworm/internal/crateuri"
	"github.com/jptool/jptool/examples/bookworm/internal/rustdoc"
)

// DefaultLimit is the maximum number of items that a search returns by default.
const DefaultLimit = 20

// A Query describes the items to search for.
type Query struct {
	// Text is matched against names and paths, case-insensitively. A space or a percent sign matches any text.
	// "Val%" matches names that begin with Val, "%Val" names that end with it. Empty text matches everything.
	Text string
	// Kinds are the kinds to return. If it is empty, all kinds are returned.
	Kinds []rustdoc.Kind
	// Limit is the maximum number of items to return after the first Skip items. If it is not positive,
	// DefaultLimit applies.
	Limit, Skip int
	// Brief omits documentation.
	Brief bool
	// Release is the release to which links in documentation point.
	Release crateuri.URI
}

// A Hit is an item that was found.
type Hit struct {
	rustdoc.Item
	// Also lists the other paths of the item, which are re-exports.
	Also []string
}

// A Result holds some of the Total matching items.
type Result struct {
	Hits  []Hit
	Total int
}

// Search returns the items that match, best match first. Items whose name is the text come first.
// They are followed by items whose path is the text or ends with it, items whose name begins with,
// ends with or contains the text, and items whose path contains it. Equal matches are ordered by
// kind: types, other items, members, items from traits. After that, matches in the same case and
// shorter paths come first.
func (ix *Index) Search(ctx context.Context, q Query) (Result, error) {
	found := ix.match(q)
	limit := q.Limit
	if limit <= 0 {
		limit = DefaultLimit
	}
	r := Result{Total: len(found)}
	found = found[min(max(q.Skip, 0), len(found)):]
	docs := "documentation"
	if q.Brief {
		docs = "''"
	}
	stmt, err := ix.db.PrepareContext(ctx, "SELECT page, fragment, source, lines, declaration, "+docs+" FROM items WHERE id = ?")
	if err != nil {
		return Result{}, fmt.Errorf("search the index: %w", err)
	}
	defer stmt.Close()
	for _, m := range found[:min(limit, len(found))] {
		h := Hit{Item: rustdoc.Item{Kind: m.kind, Path: m.path, Trait: m.trait}, Also: m.also}
		row := stmt.QueryRowContext(ctx, m.row)
		if err := row.Scan(&h.Page, &h.Fragment, &h.Source, &h.Lines, &h.Declaration, &h.Documentation); err != nil {
			return Result{}, fmt.Errorf("search the index: %w", err)
		}
		h.Documentation = rustdoc.Bind(h.Documentation, q.Release)
		r.Hits = append(r.Hits, h)
	}
	return r, nil
}

// Count returns the number of items that match.
func (ix *Index) Count(q Query) int { return len(ix.match(q)) }

// A matchedEntry is an entry that matches a query.
type matchedEntry struct {
	*entry
	also []string
}

// match returns the entries that match, in order.
func (ix *Index) match(q Query) []matchedEntry {
	p := newPattern(q.Text)
	var keys []uint64 // the sort key of each match, with the index of its entry in the low bits
	for i := range ix.entries {
		e := &ix.entries[i]
		if len(q.Kinds) > 0 && !slices.Contains(q.Kinds, e.kind) {
			continue
		}
		if r, ok := p.rank(e.path); ok {
			keys = append(keys, uint64(r.place)<<56|uint64(class(e))<<48|uint64(r.recased)<<40|uint64(i))
		}
	}
	slices.Sort(keys)
	first := make([]int, len(ix.entries)+1) // for each group, the 1-based position of its first match
	all := make([]matchedEntry, 0, len(keys))
	for _, key := range keys {
		e := &ix.entries[key&(1<<40-1)]
		if e.group == 0 || first[e.group] == 0 {
			all = append(all, matchedEntry{entry: e})
			first[e.group] = len(all)
		} else if same := &all[first[e.group]-1]; e.path != same.path {
			same.also = append(same.also, e.path)
		}
	}
	return all
}

// class orders own items before items from traits, and types before other items.
func class(e *entry) int {
	switch {
	case e.trait != "":
		return 3
	case e.kind.IsType():
		return 0
	case !e.kind.IsMember():
		return 1
	}
	return 2
}
