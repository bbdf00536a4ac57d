package bear

import (
	"slices"
	"strings"
	"unicode"
)

// Query selects notes. The zero Query selects all notes.
type Query struct {
	// Queries must all occur in the note's title or text, case-insensitively. Surrounding space is ignored;
	// empty queries and "*" match every note. A query has at most 1024 bytes.
	Queries []string
	// Tags must all be on the note. Names must match exactly; a leading # is ignored.
	Tags []string
	// IDs restricts the search to these notes, unless it is empty.
	IDs []string
	// Limit is the maximum number of matches to return, at most 1000. If it is not positive, the limit is 50.
	Limit int
}

const (
	defaultLimit  = 50
	maxLimit      = 1000
	maxQueryBytes = 1024
)

// A plan is a prepared Query.
type plan struct {
	needles []needle
	tags    []string
	ids     []string
	limit   int
}

// check returns an error if a query is too long, because the time that a search takes grows with the length
// of its queries.
func (q Query) check() error {
	for _, text := range q.Queries {
		if len(text) > maxQueryBytes {
			return &LongQueryError{Bytes: len(text)}
		}
	}
	return nil
}

func (q Query) plan() plan {
	p := plan{limit: min(q.Limit, maxLimit)}
	if p.limit <= 0 {
		p.limit = defaultLimit
	}
	for _, text := range q.Queries {
		text = strings.TrimSpace(text)
		known := slices.ContainsFunc(p.needles, func(n needle) bool { return n.text == text })
		if text != "" && text != "*" && !known {
			p.needles = append(p.needles, newNeedle(text))
		}
	}
	for _, tag := range q.Tags {
		if name := TagName(tag); name != "" && !slices.Contains(p.tags, name) {
			p.tags = append(p.tags, name)
		}
	}
	p.ids = q.IDs
	return p
}

// isWords reports whether all queries consist of words, which are letters and digits.
func (p plan) isWords() bool {
	for _, n := range p.needles {
		word := false
		for _, r := range n.text {
			switch {
			case unicode.IsLetter(r), unicode.IsNumber(r):
				word = true
			case !unicode.IsSpace(r) && !unicode.IsMark(r):
				return false
			}
		}
		if !word {
			return false
		}
	}
	return len(p.needles) > 0
}

// filter returns the SQL condition on notes n for tags and ids, with its arguments.
func (p plan) filter(s schema) (condition string, args []any) {
	condition = "TRUE"
	if len(p.ids) > 0 {
		condition += ` AND n."ZUNIQUEIDENTIFIER" IN (SELECT value FROM json_each(?))`
		args = append(args, list(p.ids))
	}
	if len(p.tags) == 0 {
		return condition, args
	}
	if s.link.table == "" {
		return "FALSE", nil
	}
	condition += ` AND n."Z_PK" IN (SELECT j.` + s.link.note + ` FROM ` + s.link.join() + `
		WHERE CAST(t."ZTITLE" AS TEXT) IN (SELECT value FROM json_each(?))
		GROUP BY 1 HAVING COUNT(DISTINCT t."ZTITLE") = ?)`
	return condition, append(args, list(p.tags), len(p.tags))
}
