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

// Search finds notes in two ways. First, it treats each query as a phrase of whole words and ignores accents. If
// no note contains all phrases, or if a query contains anything but letters, digits and spaces, it then searches
// for the exact text of each query, even within words. No character in a query has a special meaning.
//
// Notes whose title equals a query come first. After that, notes with the words are ordered by relevance (bm25
// among all notes). Notes with the text are ordered by the sum of a weight per query (1 for the whole title, 0.5
// for a part of it, 0.1 for the text), then by number of hits. Equal results, and all results if there are no
// queries, are ordered newest first, then by id.
//
// Each search reads the text of all notes once. An index in memory would be larger than the text and would take
// as long to build as ten searches.
//
// A search without matches is not an error. The error is a [*LongQueryError] or a [Failure].
func (db *DB) Search(ctx context.Context, q Query) (Result, error) {
	if err := q.check(); err != nil {
		return Result{}, err
	}
	p := q.plan()
	var result Result
	err := db.read(ctx, func(v *view) error {
		found, err := v.rank(ctx, p)
		if err != nil {
			return err
		}
		rows, err := v.load(ctx, found[0].pks)
		if err != nil {
			return err
		}
		result = Result{Matches: make([]Match, len(rows)), Total: found[0].total}
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

// Count returns the number of notes that match each query. It reads the notes once for all queries. The error is
// a [Failure].
func (db *DB) Count(ctx context.Context, queries ...Query) ([]int, error) {
	if len(queries) == 0 {
		return nil, nil
	}
	plans := make([]plan, len(queries))
	for i, q := range queries {
		plans[i] = q.plan()
	}
	totals := make([]int, len(queries))
	err := db.read(ctx, func(v *view) error {
		found, err := v.rank(ctx, plans...)
		for i, r := range found {
			totals[i] = r.total
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return totals, nil
}

// ranking holds the keys of the best notes in order, and the number of all matches.
type ranking struct {
	pks   []int64
	total int
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
	id := strings.Clone(r.info.ID) // without the clone, the id would keep the note's whole text in memory
	return candidate{pk: r.pk, id: id, modified: r.modified}
}

// order compares candidates. The better candidate comes first.
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

// rank returns the notes that match each plan.
func (v *view) rank(ctx context.Context, plans ...plan) ([]ranking, error) {
	tallies := make([]*tally, len(plans))
	s := scan{speller: newSpeller()}
	query := v.schema.titlesQuery()
	for i, p := range plans {
		tallies[i] = newTally(p, &s)
		var err error
		if tallies[i].selected, err = v.selectedNotes(ctx, p); err != nil {
			return nil, err
		}
		if len(p.needles) > 0 {
			query = v.schema.textsQuery()
		}
	}
	err := v.each(ctx, query, nil, func(r row) {
		s.read(r)
		for _, t := range tallies {
			t.add(r, &s)
		}
	})
	if err != nil {
		return nil, err
	}
	found := make([]ranking, len(tallies))
	for i, t := range tallies {
		found[i] = t.ranking(s.totals)
	}
	return found, nil
}

// selectedNotes returns the keys of the notes that pass the filters of a plan, or nil if the plan has no filters.
func (v *view) selectedNotes(ctx context.Context, p plan) (map[int64]bool, error) {
	if len(p.tags)+len(p.ids) == 0 {
		return nil, nil
	}
	condition, args := p.filter(v.schema)
	rows, err := v.conn.QueryContext(ctx, `SELECT n."Z_PK" FROM "ZSFNOTE" n WHERE `+condition, args...)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	keys := map[int64]bool{}
	var pk int64
	for rows.Next() {
		if err := rows.Scan(&pk); err != nil {
			return nil, err
		}
		keys[pk] = true
	}
	return keys, rows.Err()
}
