package index

import (
	"slices"
	"strings"
	"unicode"

	"github.com/jptool/jptool/sdk/tool"
)

// A Hint suggests a query with results in place of a query without results.
type Hint struct {
	// Text is the text to search for.
	Text string
	// Total is the number of items that match.
	Total int
}

// Hints returns at most three queries to use instead of a query without results. They consist of
// the text without special characters, of the words of the text, or of the names that are most
// similar to the last word.
func (ix *Index) Hints(q Query) []Hint {
	const limit = 3
	var hints []Hint
	add := func(text string) {
		known := func(h Hint) bool { return strings.EqualFold(h.Text, text) }
		if text == "" || len(hints) == limit || slices.ContainsFunc(hints, known) {
			return
		}
		if n := ix.Count(Query{Text: text, Kinds: q.Kinds}); n > 0 {
			hints = append(hints, Hint{text, n})
		}
	}
	if add(plainQuery(q.Text)); len(hints) > 0 {
		return hints
	}
	words := strings.FieldsFunc(q.Text, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	slices.Reverse(words) // the last word is the name of the item; the other words are its location
	words = words[:min(len(words), 8)]
	for i, word := range words {
		const shortest = 3
		if len(word) >= shortest {
			add(word)
		}
		if i == 0 {
			if near, ok := tool.Nearest(word, ix.names()); ok {
				add(near)
			}
		}
	}
	return hints
}

// names returns the last segment of the path of each item, without duplicates.
func (ix *Index) names() []string {
	var all []string
	seen := map[string]bool{}
	for _, e := range ix.entries {
		if name := lastName(e.path); !seen[name] {
			seen[name] = true
			all = append(all, name)
		}
	}
	return all
}

// plainQuery translates text in other query languages: globs, regular expressions, Rust code, and paths with
// other separators.
func plainQuery(text string) string {
	text = strings.NewReplacer(".*", "%", "*", "%", `"`, "", "'", "", "`", "", "^", "", "$", "", `\`, "", "#", "").Replace(text)
	for _, word := range []string{"pub ", "fn ", "struct ", "enum ", "trait ", "mod ", "impl ", "type ", "const ", "macro ", "use ", "method ", "function "} {
		text = strings.TrimPrefix(text, word)
	}
	if i := strings.IndexAny(text, "<({[!?;="); i >= 0 {
		text = text[:i]
	}
	return strings.TrimSpace(strings.NewReplacer(".", "::", "/", "::", "-", "_").Replace(strings.TrimSuffix(text, "::")))
}
