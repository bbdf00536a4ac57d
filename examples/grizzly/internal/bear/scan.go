package bear

import (
	"math"
	"slices"
)

// scan reads notes one after the other for tallies.
type scan struct {
	speller *speller
	words   bool  // whether a tally needs the prose
	prose   prose // of the title and the text of the current note
	totals  totals
}

// totals are sums over all notes, for bm25.
type totals struct{ notes, words int }

func (s *scan) read(r row) {
	if !s.words {
		return
	}
	s.prose = s.speller.append(s.speller.append(s.prose[:0], r.info.Title), r.text)
	s.totals.notes++
	s.totals.words += s.prose.words()
}

// tally collects the notes that match a plan.
type tally struct {
	plan     plan
	selected map[int64]bool // notes that pass the filters; nil means all
	keys     []string       // title key of each query
	phrases  []prose        // each query as words; nil if a query is not words

	notes   []candidate // notes with all phrases
	lengths []int       // number of words of each of these notes
	counts  []int       // number of occurrences in each of these notes, of each phrase
	with    []int       // number of notes with each phrase, also of notes that the filters exclude

	others []candidate // notes with the text of all queries; incomplete if there are notes
}

func newTally(p plan, s *speller) *tally {
	t := &tally{plan: p, keys: make([]string, len(p.needles))}
	for i, n := range p.needles {
		t.keys[i] = titleKey(n.text)
	}
	if p.isWords() {
		t.with = make([]int, len(p.needles))
		for _, n := range p.needles {
			t.phrases = append(t.phrases, s.append(nil, n.text))
		}
	}
	return t
}

func (t *tally) add(r row, p prose) {
	selected := t.selected == nil || t.selected[r.pk]
	if possible := t.addWords(r, p, selected); possible && selected && len(t.notes) == 0 {
		t.addText(r)
	}
}

// addWords adds a note that contains all phrases. It reports whether the note can contain the text of all
// queries: what is not in the prose is not in the text.
func (t *tally) addWords(r row, p prose, selected bool) (possible bool) {
	if t.phrases == nil {
		return true
	}
	all := len(t.counts)
	possible = true
	for i, phrase := range t.phrases {
		n, within := p.count(phrase)
		if n > 0 {
			t.with[i]++
			t.counts = append(t.counts, n)
		}
		possible = possible && within
	}
	if !selected || len(t.counts)-all < len(t.phrases) {
		t.counts = t.counts[:all]
		return possible
	}
	c := r.candidate()
	if slices.Contains(t.keys, titleKey(r.info.Title)) {
		c.score = math.Inf(1)
	}
	t.notes = append(t.notes, c)
	t.lengths = append(t.lengths, p.words())
	return possible
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

// ranking returns the best of the notes.
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
	length := float64(t.lengths[note]) * float64(sums.notes) / float64(sums.words)
	score := 0.0
	for i, with := range t.with {
		count := float64(t.counts[note*len(t.with)+i])
		rarity := math.Log((float64(sums.notes-with) + 0.5) / (float64(with) + 0.5))
		score += max(rarity, 1e-6) * count * (k1 + 1) / (count + k1*(1-b+b*length))
	}
	return score
}
