package handler

import (
	"encoding/csv"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/rawjson"
)

// Table returns a function that renders a value as render does, but shows the list of objects
// in a member as a table in the given format: "csv" or "markdown". Other members become lines
// above the table, except those of a [Page]. The text does not change if the value provides its
// own text or the list is empty.
func Table[T any](format, member string, render func(T) (Result, error)) func(T) (Result, error) {
	return func(v T) (Result, error) {
		r, err := render(v)
		paged := r.page != nil
		return r.then(err, func(r Result) (Result, error) {
			if plain := r.derive; plain != nil {
				r.derive = func(structured string) string {
					if text, ok := tableOf(structured, format, member, paged); ok {
						return text
					}
					return plain(structured)
				}
			}
			return r.deriveFirst(), nil
		})
	}
}

// tableOf returns an object as text, with a list as a table, or false if there are no rows.
func tableOf(object, format, list string, paged bool) (string, bool) {
	var text strings.Builder
	var rows [][]rawjson.Member
	for _, m := range rawjson.Parts(jsontext.Value(object)) {
		switch {
		case m.Name == list:
			for _, item := range rawjson.Parts(m.Value) {
				if item.Value.Kind() != '{' {
					return "", false
				}
				rows = append(rows, rawjson.Parts(item.Value))
			}
		case !paged: // the footer shows the other members of a page
			text.WriteString(m.Name + ": " + cellOf(m.Value) + "\n")
		}
	}
	if len(rows) == 0 {
		return "", false
	}
	if text.Len() > 0 {
		text.WriteString("\n")
	}
	if table := cells(rows); format == "markdown" {
		markdown(&text, table)
	} else {
		_ = csv.NewWriter(&text).WriteAll(table) // cannot fail: a strings.Builder accepts every write
	}
	return strings.TrimSuffix(text.String(), "\n"), true
}

// cells returns a row of names, in order of occurrence, and a row for each object.
func cells(rows [][]rawjson.Member) [][]string {
	var names []string
	for _, row := range rows {
		for _, m := range row {
			if !slices.Contains(names, m.Name) {
				names = append(names, m.Name)
			}
		}
	}
	table := [][]string{names}
	for _, row := range rows {
		line := make([]string, len(names))
		for _, m := range row {
			line[slices.Index(names, m.Name)] = cellOf(m.Value)
		}
		table = append(table, line)
	}
	return table
}

// cellOf returns a string unchanged, and other values as JSON.
func cellOf(v jsontext.Value) string {
	if v.Kind() == '"' {
		return rawjson.Text(v)
	}
	return string(v)
}

func markdown(b *strings.Builder, table [][]string) {
	escape := strings.NewReplacer("|", `\|`, "\n", " ", "\r", "")
	for i, row := range table {
		for _, cell := range row {
			b.WriteString("|" + escape.Replace(cell))
		}
		b.WriteString("|\n")
		if i == 0 {
			b.WriteString(strings.Repeat("|-", len(row)) + "|\n")
		}
	}
}
