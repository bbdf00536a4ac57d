package index

import (
	"context"
	"fmt"
	"slices"

	"github.com/jptool/jptool/examples/bookworm/internal/crateuri"
	"github.com/jptool/jptool/examples/bookworm/internal/rustdoc"
)

// DefaultLimit is how many items a search returns unless told otherwise.
const DefaultLimit = 50

// A Query says what to search for.
type Query struct {
	// Text is matched against names and paths, in any case. A space and a percent sign stand for
	// any text; a percent sign at either end makes the other end the end of the name. Empty text
	// matches everything.
	Text string
	// Kinds are the kinds to return; none means all.
	Kinds []rustdoc.Kind
	// Limit is how many items to return at most; DefaultLimit if it is not positive.
	Limit int
	// Brief leaves out documentation.
	Brief bool
	// Release is where links in documentation lead.
	Release crateuri.URI
}

// A Hit is an item that was found.
type Hit struct {
	rustdoc.Item
	// Also are the other paths of the same item, by which it is re-exported.
	Also []string
}

// A Result is what a search found: the first items of Total.
type Result struct {
	Hits  []Hit
	Total int
}

// Search returns the items that match, best first: those whose name is the text, then those whose
// last names or path are, whose name begins with it, ends with it, holds it, and whose path does.
// Among equals own items come before those from traits, types before other items and these before
// members, the same case before another, then the shorter path, then the path.
func (ix *Index) Search(ctx context.Context, q Query) (Result, error) {
	found := ix.match(q)
	limit := q.Limit
	if limit <= 0 {
		limit = DefaultLimit
	}
	r := Result{Total: len(found), Hits: make([]Hit, 0, min(limit, len(found)))}
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

// A found is an item that matches.
type found struct {
	*entry
	also []string
}

// match returns what matches, in order.
func (ix *Index) match(q Query) []found {
	p := newPattern(q.Text)
	var keys []uint64 // the order in one number, with the place of the entry at its end
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
	first := make([]int, len(ix.entries)+1) // of each group, its place among those found, from 1
	all := make([]found, 0, len(keys))
	for _, key := range keys {
		e := &ix.entries[key&(1<<40-1)]
		if e.group == 0 || first[e.group] == 0 {
			all = append(all, found{entry: e})
			first[e.group] = len(all)
		} else if same := &all[first[e.group]-1]; e.path != same.path {
			same.also = append(same.also, e.path)
		}
	}
	return all
}

// class puts own items before those from traits, and types before the rest.
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
