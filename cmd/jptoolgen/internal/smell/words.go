package smell

import (
	"slices"
	"strings"

	"github.com/jptool/jptool/internal/lazyregexp"
)

// words returns the meaningful words of text: in lower case, without endings and without very common words.
// Names are split at underscores and capitals.
func words(text string) []string {
	text = capital().ReplaceAllString(text, "$1 $2")
	var all []string
	for _, w := range word().FindAllString(strings.ToLower(text), -1) {
		if !slices.Contains(common, w) {
			all = append(all, stem(w))
		}
	}
	return all
}

var (
	capital = lazyregexp.New(`([a-z0-9])([A-Z])`)
	word    = lazyregexp.New(`[\pL\pN]+`)
)

// common holds words that do not distinguish tools.
var common = strings.Fields(`a all also an and any are as at be been but by can does do for from has have how if in into is it its
me my not of on or our out own so such that the their them then there this to tool use used using was what when where
which who will with you your given value parameter argument string number optional required`)

// stem returns a word without the most frequent endings.
func stem(w string) string {
	for _, e := range []struct{ end, by string }{{"ies", "y"}, {"sses", "ss"}, {"xes", "x"}, {"ches", "ch"}, {"ing", ""}, {"ed", ""}, {"s", ""}} {
		if rest, ok := strings.CutSuffix(w, e.end); ok && len(rest) >= 3 && !strings.HasSuffix(w, "ss") {
			return strings.TrimSuffix(rest+e.by, "e")
		}
	}
	if len(w) > 3 {
		return strings.TrimSuffix(w, "e")
	}
	return w
}

// countNewWords returns the number of distinct words of text that are not in name.
func countNewWords(text, name string) int {
	known := words(name)
	return len(slices.DeleteFunc(distinctWords(text), func(w string) bool { return slices.Contains(known, w) }))
}

// repeats reports whether text has only words of the two names, and at least one word of the first name.
func repeats(text, name, other string) bool {
	return countNewWords(text, name+" "+other) == 0 && (len(words(name)) == 0 || countNewWords(name, text) < len(words(name)))
}

// distinctWords returns the distinct words of text, sorted.
func distinctWords(text string) []string {
	all := words(text)
	slices.Sort(all)
	return slices.Compact(all)
}

// overlap returns the fraction of words that two texts have in common, from 0 to 1. Both lists are sorted and
// distinct.
func overlap(x, y []string) float64 {
	if len(x) == 0 || len(y) == 0 {
		return 0
	}
	both := 0
	for _, w := range x {
		if _, found := slices.BinarySearch(y, w); found {
			both++
		}
	}
	return float64(both) / float64(len(x)+len(y)-both)
}
