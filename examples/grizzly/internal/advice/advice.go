// Package advice suggests searches that have matches and are close to a search without matches.
package advice

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/jptool/jptool/examples/grizzly/internal/bear"
)

const (
	maxSteps        = 3  // maximum number of searches to suggest
	maxWords        = 6  // maximum number of words that are searched for one by one and in pairs
	maxAlternatives = 6  // maximum number of alternatives in a query with OR
	maxQueries      = 32 // maximum number of queries that note_search accepts
	maxTags         = 20 // maximum number of tags to list
)

// For returns text for a model whose search has no matches. The text says how often each word of the search
// occurs, and contains the complete arguments of searches that have matches. The error is a [bear.Failure].
func For(ctx context.Context, library *bear.DB, q bear.Query) (string, error) {
	tags, err := library.Tags(ctx)
	if err != nil {
		return "", err
	}
	m := read(q, tags)
	steps, err := countMatches(ctx, library, q, m.steps())
	if err != nil {
		return "", err
	}
	if !steps.hasAllWords(m) {
		similar, err := library.SimilarWords(ctx, longestWords(m.words))
		if err != nil {
			return "", err
		}
		more, err := countMatches(ctx, library, q, m.replaceWords(similar))
		if err != nil {
			return "", err
		}
		steps = sortSteps(append(more, steps...))
	}
	if len(steps) == 0 {
		if steps, err = countMatches(ctx, library, q, []step{{kind: all}}); err != nil {
			return "", err
		}
	}
	return m.text(steps), nil
}

// step is a search, and the number of its matches.
type step struct {
	bear.Query
	kind  kind
	total int
}

// A kind is the relation of a step to the original search. Closer kinds come first.
type kind int

const (
	meant     kind = iota // the search without syntax that has no meaning here, and with existing tags
	split                 // all words, not as a phrase
	relaxed               // the search without some filters
	corrected             // the search with similar words
	pair                  // two of the words
	single                // one of the words
	all                   // all notes
)

type steps []step

// countMatches returns the steps that have matches. It omits q itself, repeated steps, and steps with more
// queries than note_search accepts.
func countMatches(ctx context.Context, library *bear.DB, q bear.Query, list steps) (steps, error) {
	list = slices.DeleteFunc(sortSteps(list), func(s step) bool {
		return arguments(s.Query) == arguments(q) || len(s.Queries) > maxQueries
	})
	queries := make([]bear.Query, len(list))
	for i, s := range list {
		queries[i] = s.Query
	}
	totals, err := library.Count(ctx, queries...)
	if err != nil {
		return nil, err
	}
	for i := range list {
		list[i].total = totals[i]
	}
	return sortSteps(slices.DeleteFunc(list, func(s step) bool { return s.total == 0 })), nil
}

// sortSteps orders steps by kind and removes repeated steps. Pairs and single words are ordered by their
// number of matches, rarest first, because rare words narrow a search the most.
func sortSteps(list steps) steps {
	slices.SortStableFunc(list, func(a, b step) int {
		if a.kind == b.kind && a.kind >= pair {
			return a.total - b.total
		}
		return int(a.kind - b.kind)
	})
	seen := map[string]bool{}
	return slices.DeleteFunc(list, func(s step) bool {
		known := seen[arguments(s.Query)]
		seen[arguments(s.Query)] = true
		return known
	})
}

// hasAllWords reports whether a step contains all words of the search.
func (list steps) hasAllWords(m meaning) bool {
	return slices.ContainsFunc(list, func(s step) bool {
		return s.kind < relaxed || s.kind == relaxed && (len(s.Queries) > 0 || len(m.words) == 0)
	})
}

// text describes the steps.
func (m meaning) text(list steps) string {
	if len(list) == 0 {
		return "The library has no notes."
	}
	var sentences []string
	if m.syntax {
		sentences = append(sentences, "Quotes, operators, wildcards and prefixes such as tag: count as text.")
	}
	if len(m.unknown) > 0 {
		sentences = append(sentences, fmt.Sprintf("There is no tag %s.", quoteNames(m.unknown)))
	}
	if words := list.occurrences(m); words != "" && list[0].kind >= relaxed {
		sentences = append(sentences, words)
	}
	var offers []string
	for _, s := range list[:min(len(list), maxSteps)] {
		if len(offers) > 0 && (s.kind == all || s.kind >= pair && list[0].kind < pair) {
			break
		}
		offer := fmt.Sprintf("%s (%s)", arguments(s.Query), plural(s.total))
		if arguments(s.Query) == "{}" {
			offer = fmt.Sprintf("{} (%s, newest first)", plural(s.total))
		}
		offers = append(offers, offer)
	}
	sentences = append(sentences, "Call note_search with "+strings.Join(offers, " or ")+".")
	if arguments(list[0].Query) == "{}" && len(m.tags) > 0 {
		sentences = append(sentences, "The tags are "+quoteNames(m.tags[:min(len(m.tags), maxTags)])+".")
	}
	return strings.Join(sentences, " ")
}

// occurrences describes the number of notes in which each word occurs, if there are several words.
func (list steps) occurrences(m meaning) string {
	if len(m.words) < 2 {
		return ""
	}
	words := longestWords(m.words)
	counts := make([]string, len(words))
	for i, word := range words {
		counts[i] = fmt.Sprintf("%q in none", word)
		for _, s := range list {
			if arguments(s.Query) == arguments(bear.Query{Queries: []string{word}}) {
				counts[i] = fmt.Sprintf("%q in %s", word, plural(s.total))
			}
		}
	}
	return "The words occur separately: " + strings.Join(counts, ", ") + "."
}

func plural(notes int) string {
	if notes == 1 {
		return "1 note"
	}
	return fmt.Sprintf("%d notes", notes)
}

func quoteNames(names []string) string {
	all := make([]string, len(names))
	for i, name := range names {
		all[i] = fmt.Sprintf("%q", name)
	}
	return strings.Join(all, ", ")
}

// arguments returns the arguments of a search as JSON.
func arguments(q bear.Query) string {
	text, err := json.Marshal(struct {
		Queries []string `json:"queries,omitempty"`
		Tags    []string `json:"tags,omitempty"`
		IDs     []string `json:"ids,omitempty"`
	}{q.Queries, q.Tags, q.IDs})
	if err != nil {
		return "{}" // strings can always be encoded
	}
	return string(text)
}
