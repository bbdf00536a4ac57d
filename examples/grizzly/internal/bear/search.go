package bear

import (
	"cmp"
	"context"
	"slices"
	"strings"
)

// Result is the result of a Query.
type Result struct {
	// Notes that match, best match first, up to the limit.
	Matches []Match `json:"matches"`
	// Number of all notes that match.
	Total int `json:"total"`
}

// Match is a note that was found.
type Match struct {
	Info
	// Number of lines of the text that contain any of the queries.
	TotalHits int `json:"total_hits"`
	// Numbers of the first 20 of those lines, counted from 1. Omitted for archived notes.
	Hits []int `json:"hits,omitempty"`
	// A line of the text. Omitted for archived notes and notes without text.
	Snippet Snippet `json:"snippet,omitzero"`
}

// Snippet is a line of a note, or 200 characters of it.
type Snippet struct {
	// Number of the line, counted from 1.
	Line int `json:"line"`
	// Text of the line, or 200 characters of it.
	Text string `json:"text"`
}

// Search finds notes in two passes. The first pass treats each query as a phrase of whole words and ignores
// accents. If no note contains all of them, or if a query contains anything but letters, digits and spaces, the
// second pass searches for the exact text of each query, also within words. No character in a query has a
// special meaning.
//
// Notes whose title equals a query come first. After that, results of the first pass are ordered by relevance
// (bm25). Results of the second pass are ordered by the sum of a weight per query (1 for the whole title, 0.5
// for a part of it, 0.1 for the text), then by number of hits. Equal results, and all results if there are no
// queries, are ordered newest first, then by id.
//
// It is not an error if no note matches. The error is a [*BadQueryError] for more than 32 queries, 64 tags or
// 1000 ids, for a query of more than 1024 bytes, a tag of more than 512 bytes or an id of more than 256 bytes,
// or a [Failure].
func (db *DB) Search(ctx context.Context, q Query) (Result, error) {
	p, err := q.plan()
	if err != nil {
		return Result{}, err
	}
	var result Result
	err = db.read(ctx, func(v *view) error {
		found, err := db.rank(ctx, v, p)
		if err != nil {
			return err
		}
		rows, err := v.load(ctx, found.pks)
		if err != nil {
			return err
		}
		result = Result{Matches: make([]Match, len(rows)), Total: found.total}
		for i, r := range rows {
			result.Matches[i] = p.match(r)
		}
		return nil
	})
	if err != nil {
		return Result{}, err
	}
	return result, nil
}

// ranking has the keys of the best notes in order, and the number of all matches.
type ranking struct {
	pks   []int64
	total int
}

func (db *DB) rank(ctx context.Context, v *view, p plan) (ranking, error) {
	if len(p.needles) == 0 {
		return v.listed(ctx, p)
	}
	if p.isWords() {
		found, err := db.words.search(ctx, v, p)
		if err != nil || found.total > 0 {
			return found, err
		}
	}
	return v.scan(ctx, p)
}

// candidate is a note that matches, with the fields that determine its rank.
type candidate struct {
	pk       int64
	id       string
	modified float64
	score    float64
	hits     int
}

func (r row) candidate() candidate {
	return candidate{pk: r.pk, id: r.info.ID, modified: r.modified}
}

// order compares candidates; the better one comes first.
func (c candidate) order(d candidate) int {
	return cmp.Or(
		cmp.Compare(d.score, c.score),
		cmp.Compare(d.hits, c.hits),
		cmp.Compare(d.modified, c.modified),
		strings.Compare(c.id, d.id),
	)
}

// best returns the best candidates in order, at most limit. A common word has tens of thousands of candidates,
// and sorting them all would be slow.
func best(all []candidate, limit int) ranking {
	top := make([]candidate, 0, min(len(all), limit)+1)
	for _, c := range all {
		if place, _ := slices.BinarySearchFunc(top, c, candidate.order); place < limit {
			top = slices.Insert(top, place, c)
			top = top[:min(len(top), limit)]
		}
	}
	r := ranking{total: len(all), pks: make([]int64, len(top))}
	for i, c := range top {
		r.pks[i] = c.pk
	}
	return r
}

// listed returns the notes that match the filters.
func (v *view) listed(ctx context.Context, p plan) (ranking, error) {
	condition, args := p.filter(v.schema)
	var all []candidate
	err := v.each(ctx, v.schema.titlesQuery()+" AND "+condition, args, func(r row) {
		all = append(all, r.candidate())
	})
	return best(all, p.limit), err
}

// scan searches the titles and texts of the notes that match the filters.
func (v *view) scan(ctx context.Context, p plan) (ranking, error) {
	condition, args := p.filter(v.schema)
	keys := p.titleKeys()
	var all []candidate
	err := v.each(ctx, v.schema.textsQuery()+" AND "+condition, args, func(r row) {
		c := r.candidate()
		for i, n := range p.needles {
			weight := n.weight(r, keys[i])
			if weight == 0 {
				return
			}
			c.score += weight
		}
		for range p.hits(r.text) {
			c.hits++
		}
		all = append(all, c)
	})
	return best(all, p.limit), err
}

// weight returns how well a query matches a note; 0 means that it does not match.
func (n needle) weight(r row, key string) float64 {
	switch {
	case n.in(r.info.Title):
		if titleKey(r.info.Title) == key {
			return 1
		}
		return 0.5
	case n.in(r.text):
		return 0.1
	}
	return 0
}

func (p plan) titleKeys() []string {
	keys := make([]string, len(p.needles))
	for i, n := range p.needles {
		keys[i] = titleKey(n.text)
	}
	return keys
}
