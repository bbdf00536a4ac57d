package model

import (
	"slices"
	"strings"
	"unicode"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/schema"
)

// Prose turns a Go comment into a comment for models. It drops the Go name at the start: "Delete deletes items"
// becomes "Deletes items", and "Limit is the maximum" becomes "The maximum". If the sentence needs the name,
// Prose splits it into words: "MaxDepth of the walk" becomes "Max depth of the walk".
func Prose(name, comment string) string {
	rest, ok := strings.CutPrefix(comment, name)
	if !ok {
		return comment
	}
	words := camelWords(name)
	if after, ok := strings.CutPrefix(rest, ", "); ok && len(words) > 1 {
		return schema.Title(after)
	}
	after, ok := strings.CutPrefix(rest, " ")
	if !ok {
		return comment
	}
	verb, object, _ := strings.Cut(after, " ")
	switch {
	case (verb == "is" || verb == "are") && startsNoun(object):
		return schema.Title(object)
	case isVerb(verb, object, words):
		return schema.Title(after)
	case len(words) > 1:
		return schema.Title(strings.Join(words, " ")) + rest
	}
	return comment
}

// startsNoun reports whether a noun or a clause follows "is". A sentence with an adjective, such as "Dinner is
// included", needs its subject.
func startsNoun(text string) bool {
	first, _, more := strings.Cut(text, " ")
	return more && (slices.Contains(determiners, first) || first == "that" || first == "those")
}

// isVerb reports whether a word after a name is a verb, rather than a plural noun as in "List files". It is a
// verb if it is a form of the name itself, if it is always a verb, or if a determiner follows.
func isVerb(word, after string, name []string) bool {
	next, _, _ := strings.Cut(after, " ")
	if slices.Contains(modals, word) && next != "" {
		return true
	}
	if !strings.HasSuffix(word, "s") || strings.HasSuffix(word, "ss") {
		return false
	}
	if slices.Contains(verbs, word) || slices.Contains(determiners, next) {
		return !slices.Contains(noVerbs, word)
	}
	return slices.ContainsFunc(name, func(part string) bool {
		stem := strings.TrimSuffix(part, "e")
		stem = strings.TrimSuffix(stem, "y")
		return len(part) > 2 && strings.HasPrefix(word, stem) && len(word) > len(part)
	})
}

var (
	modals = []string{"can", "may", "must", "should", "will", "cannot"}
	// verbs are common verbs that are never nouns.
	verbs = []string{
		"adds", "allows", "applies", "asks", "becomes", "begins", "belongs", "contains", "creates", "decides", "deletes", "describes",
		"determines", "disables", "does", "enables", "excludes", "explains", "finds", "gets", "gives", "goes", "has", "identifies",
		"includes", "indicates", "keeps", "lets", "makes", "means", "reads", "removes", "requires", "returns", "says", "sends",
		"specifies", "takes", "tells", "turns", "waits", "wants", "was", "writes",
	}
	noVerbs     = []string{"as", "less", "this", "unless", "versus", "yes"}
	determiners = []string{
		"a", "all", "an", "another", "any", "each", "every", "how", "if", "it", "its", "no", "nothing", "one", "only", "some", "the",
		"their", "them", "what", "when", "where", "whether", "which", "who",
	}
)

// camelWords splits a Go name into words in lower case; initialisms, such as ID and IDs, stay in upper case.
func camelWords(name string) []string {
	var words []string
	runes := []rune(name)
	start := 0
	for i := 1; i <= len(runes); i++ {
		if i < len(runes) && !(unicode.IsUpper(runes[i]) && (!unicode.IsUpper(runes[i-1]) || startsWord(runes[i+1:]))) {
			continue
		}
		word := string(runes[start:i])
		if initials := strings.TrimSuffix(word, "s"); strings.ToUpper(initials) != initials || len(initials) == 1 {
			word = strings.ToLower(word)
		}
		words = append(words, word)
		start = i
	}
	return words
}

// startsWord reports whether the capital before rest starts a word, as the S in HTTPServer does. The D in IDs and
// in IDsOfNotes belongs to the plural of an initialism.
func startsWord(rest []rune) bool {
	if len(rest) == 0 || !unicode.IsLower(rest[0]) {
		return false
	}
	return rest[0] != 's' || len(rest) > 1 && !unicode.IsUpper(rest[1])
}
