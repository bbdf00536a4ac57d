package bear

import (
	"bytes"
	"math"
	"slices"
)

// scan reads notes one at a time for the tallies.
type scan struct {
	speller *speller
	phrases []*phrase
	prose   prose // the title and the text of the current note
	totals  totals
}

// totals holds sums over all notes, for bm25.
type totals struct{ notes, words int }

// A phrase is a query split into words. Tallies with equal queries share one phrase.
type phrase struct {
	prose  prose
	notes  int  // number of notes with the phrase
	count  int  // number of occurrences in the current note
	within bool // whether the current note contains the phrase as text, perhaps within words
}

// phrase returns the phrase of a query. Queries with the same words share a phrase.
func (s *scan) phrase(query string) *phrase {
	p := s.speller.append(nil, query)
	for _, known := range s.phrases {
		if bytes.Equal(known.prose, p) {
			return known
		}
	}
	s.phrases = append(s.phrases, &phrase{prose: p})
	return s.phrases[len(s.phrases)-1]
}

// read makes r the current note.
func (s *scan) read(r row) {
	if len(s.phrases) == 0 {
		return
	}
	s.spell(r)
	s.totals.notes++
	s.totals.words += s.prose.words()
	for _, p := range s.phrases {
		if p.count, p.within = s.prose.count(p.prose); p.count > 0 {
			p.notes++
		}
	}
}

func (s *scan) spell(r row) {
	s.prose = s.speller.append(s.speller.append(s.prose[:0], r.info.Title), r.text)
}

// tally collects the notes that match a plan.
type tally struct {
	plan     plan
	selected map[int64]bool // notes that pass the filters; nil means all notes
	keys     []string       // title key of each query
	phrases  []*phrase      // each query split into words; nil if a query has other characters

	notes   []candidate // notes with all phrases
	lengths []int       // number of words in each of these notes
	counts  []int       // number of occurrences of each phrase in each of these notes

	others []candidate // notes with the text of all queries; incomplete once notes is not empty
}

func newTally(p plan, s *scan) *tally {
	t := &tally{plan: p, keys: make([]string, len(p.needles))}
	for i, n := range p.needles {
		t.keys[i] = titleKey(n.text)
	}
	if p.isWords() {
		for _, n := range p.needles {
			t.phrases = append(t.phrases, s.phrase(n.text))
		}
	}
	return t
}

// add adds the current note r if it matches. If the prose of a note does not contain a query, its text does not
// either.
func (t *tally) add(r row, s *scan) {
	if t.selected != nil && !t.selected[r.pk] {
		return
	}
	whole, within := t.phrases != nil, true
	for _, p := range t.phrases {
		whole, within = whole && p.count > 0, within && p.within
	}
	if whole {
		t.addWords(r, s.prose.words())
	} else if within && len(t.notes) == 0 {
		t.addText(r)
	}
}

// addWords adds a note that contains all phrases.
func (t *tally) addWords(r row, length int) {
	c := r.candidate()
	if slices.Contains(t.keys, titleKey(r.info.Title)) {
		c.score = math.Inf(1)
	}
	t.notes = append(t.notes, c)
	t.lengths = append(t.lengths, length)
	for _, p := range t.phrases {
		t.counts = append(t.counts, p.count)
	}
}

// addText adds a note that contains the text of all queries.
func (t *tally) addText(r row) {
	c := r.candidate()
	for i, n := range t.plan.needles {
		weight := n.weight(r, t.keys[i])
		if weight == 0 {
			return
		}
		c.score += weight
	}
	for range t.plan.hits(r.text) {
		c.hits++
	}
	t.others = append(t.others, c)
}

// weight returns the weight of a query's match in a note, or 0 if the query does not match.
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

// ranking returns the best notes.
func (t *tally) ranking(sums totals) ranking {
	if len(t.notes) == 0 {
		return best(t.others, t.plan.limit)
	}
	for i := range t.notes {
		if t.notes[i].score == 0 {
			t.notes[i].score = t.bm25(i, sums)
		}
	}
	return best(t.notes, t.plan.limit)
}

// bm25 returns the relevance of a note, with the constants that SQLite's full-text search uses.
func (t *tally) bm25(note int, sums totals) float64 {
	const k1, b = 1.2, 0.75
	length := float64(t.lengths[note]) / (float64(sums.words) / float64(sums.notes))
	score := 0.0
	for i, p := range t.phrases {
		count := float64(t.counts[note*len(t.phrases)+i])
		rarity := math.Log((float64(sums.notes-p.notes) + 0.5) / (float64(p.notes) + 0.5))
		score += max(rarity, 1e-6) * count * (k1 + 1) / (count + k1*(1-b+b*length))
	}
	return score
}
