package bear

import (
	"cmp"
	"context"
	"slices"
	"strings"
)

// Result is the answer to a Query.
type Result struct {
	// Notes that match, the best first, as many as the limit allows.
	Matches []Match `json:"matches"`
	// Number of notes that match, shown or not.
	Total int `json:"total"`
}

// Match is a note that was found.
type Match struct {
	Info
	// Number of lines of the text that contain any of the queries.
	TotalHits int `json:"total_hits"`
	// Numbers of the first 20 of those lines, counted from 1. An archived note has none.
	Hits []int `json:"hits,omitempty"`
	// A line of the text. An archived note, or one without text, has none.
	Snippet Snippet `json:"snippet,omitzero"`
}

// Snippet is a line of a note, or 200 characters of it.
type Snippet struct {
	// Number of the line, counted from 1.
	Line int `json:"line"`
	// Text of the line, or 200 characters of it.
	Text string `json:"text"`
}

// Search finds notes in two passes. In the first, each query is a phrase of whole
// words; accents do not count. When no note has them all, or a query holds
// anything but letters, digits and spaces, each is looked for as it is, within
// words too. No character in a query has a special meaning.
//
// A note whose title is one of the queries comes first. After that words are ordered by
// relevance (bm25), parts of words by where they are (1 for the whole title, 0.5
// for a part of it, 0.1 for the text, summed over the queries) and then by hits; what
// is equal, and everything when there are no queries, newest first, then by id.
//
// Finding nothing is no error. The error is a [*BadQueryError] for more than 32
// queries, 64 tags or 1000 ids, for a query above 1024 bytes, a tag above 512 or an
// id above 256, or a [Failure].
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

// ranking is the best notes' keys in order, and how many notes there are in all.
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

// candidate is a note that matches, and what decides on its place.
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

// order puts the better candidate first.
func (c candidate) order(d candidate) int {
	return cmp.Or(
		cmp.Compare(d.score, c.score),
		cmp.Compare(d.hits, c.hits),
		cmp.Compare(d.modified, c.modified),
		strings.Compare(c.id, d.id),
	)
}

// best keeps as many candidates as limit, in order: a common word has
// candidates by the ten thousand, and sorting them all is felt.
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

// listed finds the notes that fit the filters.
func (v *view) listed(ctx context.Context, p plan) (ranking, error) {
	condition, args := p.filter(v.schema)
	var all []candidate
	err := v.each(ctx, v.schema.titlesQuery()+" AND "+condition, args, func(r row) {
		all = append(all, r.candidate())
	})
	return best(all, p.limit), err
}

// scan looks through the titles and texts of the notes that fit the filters.
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

// weight says how well one query fits a note; 0 is not at all.
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
