package advice

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/jptool/jptool/examples/grizzly/internal/bear"
)

// A meaning is an interpretation of a search without matches.
type meaning struct {
	syntaxes
	tags     []string     // all tags that exist
	searches []bear.Query // alternatives, without syntax
	moved    []string     // values of other arguments that are not tags or ids, so they may be text
	words    []string     // the words in these searches
	syntax   bool         // whether a query has quotes, operators or wildcards, which have no effect
	unknown  []string     // tags that do not exist
}

// syntaxes holds regular expressions. They are compiled for each search without matches, because most processes
// need none.
type syntaxes struct {
	uuid *regexp.Regexp
	// term is a part of a query in the syntax of other programs: a sign, a prefix, and a phrase in quotes or a
	// word.
	term *regexp.Regexp
	// pattern is a part of a regular expression or wildcard, or another character that separates words.
	pattern *regexp.Regexp
}

func compile() syntaxes {
	return syntaxes{
		uuid:    regexp.MustCompile(`(?i)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}`),
		term:    regexp.MustCompile(`([-+!]?)(?:(\pL+):)?(?:["“„«]([^"”“»]+)["”“»]|(\S+))`),
		pattern: regexp.MustCompile(`\\\pL|\[[^\]]*\]|\.[*+?]|[^\pL\pN\pM%_'./@&-]+`),
	}
}

// read returns the meaning of q.
func read(q bear.Query, tags []string) meaning {
	m := meaning{syntaxes: compile(), tags: tags, searches: []bear.Query{{}}}
	for _, tag := range q.Tags {
		m.tag(tag)
	}
	for _, id := range q.IDs {
		m.id(id)
	}
	for _, text := range q.Queries {
		m.query(text)
	}
	for _, s := range m.searches {
		m.note(s.Queries)
	}
	m.note(m.moved)
	return m
}

// note collects the words of texts.
func (m *meaning) note(texts []string) {
	for _, text := range texts {
		for _, word := range strings.FieldsFunc(text, func(r rune) bool { return !unicode.In(r, unicode.L, unicode.N, unicode.M) }) {
			if !slices.Contains(m.words, word) {
				m.words = append(m.words, word)
			}
		}
	}
}

// last returns the alternative that is currently being read.
func (m *meaning) last() *bear.Query { return &m.searches[len(m.searches)-1] }

// tag adds a tag, or several tags if text contains several.
func (m *meaning) tag(text string) {
	name := bear.TagName(text)
	exists := slices.Contains(m.tags, name)
	separate := strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune(",;#", r) })
	if spaced := strings.Fields(name); len(spaced) > 1 && slices.Contains(m.tags, spaced[0]) {
		separate = spaced
	}
	switch {
	case name == "":
	case !exists && m.uuid.MatchString(name):
		m.id(name)
	case !exists && len(separate) > 1:
		for _, part := range separate {
			m.tag(part)
		}
	default:
		if !exists {
			m.unknown = append(m.unknown, name)
			name = m.similarTag(name)
		}
		if name == "" {
			m.moved = append(m.moved, m.plain(text)...)
		} else if q := m.last(); !slices.Contains(q.Tags, name) {
			q.Tags = append(q.Tags, name)
		}
	}
}

// id adds an id in capitals, as Bear writes it. Text that does not look like an id is a tag or part of a title.
func (m *meaning) id(text string) {
	q := m.last()
	switch id, name := m.uuid.FindString(text), bear.TagName(text); {
	case id != "":
		q.IDs = append(q.IDs, strings.ToUpper(id))
	case slices.Contains(m.tags, name):
		q.Tags = append(q.Tags, name)
	case m.plain(text) != nil:
		m.moved = append(m.moved, text)
	}
}

// query adds the terms of a query.
func (m *meaning) query(text string) {
	if m.uuid.MatchString(text) {
		m.id(text)
		return
	}
	if name := bear.TagName(text); name != text && slices.Contains(m.tags, name) {
		m.tag(name)
		return
	}
	excluded := false
	for _, t := range m.term.FindAllStringSubmatch(text, -1) {
		sign, prefix, phrase, word := t[1], t[2], t[3], t[4]
		values := []string{phrase}
		if phrase == "" {
			values = m.plain(word)
		}
		m.syntax = m.syntax || sign+prefix+phrase != "" || len(values) != 1 || values[0] != strings.TrimRight(word, ".,;:?!")
		switch {
		case excluded, sign == "-", sign == "!":
			excluded = false
		case word == "NOT":
			excluded, m.syntax = true, true
		case word == "OR" && len(m.searches) < maxAlternatives:
			m.syntax = true
			m.searches = append(m.searches, bear.Query{Tags: slices.Clone(m.searches[0].Tags), IDs: slices.Clone(m.searches[0].IDs)})
		case word == "AND", word == "OR":
			m.syntax = true
		case strings.HasPrefix(strings.ToLower(prefix), "tag"), strings.HasPrefix(word, "#"):
			m.tag(phrase + word)
		default:
			q := m.last()
			for _, value := range values {
				if !slices.Contains(q.Queries, value) {
					q.Queries = append(q.Queries, value)
				}
			}
		}
	}
}

// plain returns the parts of text between patterns.
func (x syntaxes) plain(text string) []string {
	var parts []string
	for _, part := range x.pattern.Split(text, -1) {
		part = strings.TrimFunc(part, func(r rune) bool { return unicode.IsPunct(r) && r != '%' && r != '_' })
		if part != "" {
			parts = append(parts, part)
		}
	}
	return parts
}

// steps returns the searches to try.
func (m meaning) steps() steps {
	var list steps
	add := func(k kind, q bear.Query) { list = append(list, step{Query: q, kind: k}) }
	for _, q := range m.searches {
		own := q.Queries
		q.Queries = slices.Concat(own, m.moved)
		add(meant, q)
		for i, text := range q.Queries {
			if tag := m.similarTag(text); tag != "" {
				add(meant, bear.Query{Queries: slices.Concat(q.Queries[:i], q.Queries[i+1:]), Tags: append(slices.Clone(q.Tags), tag), IDs: q.IDs})
			}
		}
		parts := []bear.Query{{Queries: own, Tags: q.Tags}, {Queries: own, IDs: q.IDs}, {Queries: own}, {Tags: q.Tags}, {IDs: q.IDs}}
		for _, tag := range q.Tags {
			parts = append(parts, bear.Query{Tags: []string{tag}})
		}
		for _, part := range parts {
			if arguments(part) != "{}" {
				add(relaxed, part)
			}
		}
		add(split, bear.Query{Queries: m.words, Tags: q.Tags, IDs: q.IDs})
	}
	if len(m.words) > 0 {
		add(split, bear.Query{Queries: m.words})
	}
	return append(list, subsets(m.words)...)
}

// replaceWords returns the searches in which similar words replace words that do not occur.
func (m meaning) replaceWords(similar map[string]string) steps {
	if len(similar) == 0 {
		return nil
	}
	words := slices.Clone(m.words)
	for i, word := range words {
		words[i] = cmp.Or(similar[word], word)
	}
	return append(steps{{Query: bear.Query{Queries: words}, kind: corrected}}, subsets(words)...)
}

// subsets returns the searches for one word and for two of the words.
func subsets(words []string) steps {
	var list steps
	words = longestWords(words)
	for i, word := range words {
		list = append(list, step{Query: bear.Query{Queries: []string{word}}, kind: single})
		for _, other := range words[:i] {
			list = append(list, step{Query: bear.Query{Queries: []string{other, word}}, kind: pair})
		}
	}
	return list
}

// longestWords returns the longest words, which usually narrow a search the most.
func longestWords(words []string) []string {
	words = slices.Clone(words)
	slices.SortStableFunc(words, func(a, b string) int { return utf8.RuneCountInString(b) - utf8.RuneCountInString(a) })
	return words[:min(len(words), maxWords)]
}
