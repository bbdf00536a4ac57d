package render

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/jptool/jptool/examples/grizzly/internal/bear"
	"github.com/jptool/jptool/examples/internal/xmltext"
)

// Fitting returns the number of matches that fit into an answer, as text and as JSON.
func Fitting(matches []bear.Match) int {
	text, object := 0.0, 0.0
	for i, m := range matches {
		data, err := json.Marshal(m)
		text, object = text+share(match(m)), object+share(string(data))
		if err != nil || text > 1 || object > 1 {
			return i
		}
	}
	return len(matches)
}

// Matches formats the result of a search in at most limit bytes ([DefaultLimit] if it is not positive):
//
//	<match note-id="ID" title="T" tags="a b" updated-at="2023-03-08 22:26:41" total-hits="3">
//	  <snippet line="2">text</snippet>
//	  <hits>2, 5, 9</hits>
//	</match>
//
// The attributes archived="true" and encrypted="true" are present only if they apply. An archived note has no
// snippet and no hits. An <info> element contains the number of notes that are not shown, or says that no
// notes match, followed by the advice.
func Matches(r bear.Result, advice string, limit int) string {
	a := newAnswer(limit)
	shown := 0
	for _, m := range r.Matches {
		if !a.add(match(m)) {
			break
		}
		shown++
	}
	switch {
	case r.Total == 0:
		a.remark(Info("No notes match. %s", advice))
	case shown < r.Total:
		a.remark(Info("Showing %d of %d notes that match. Narrow the search with queries or tags to see the others.", shown, r.Total))
	}
	return a.String()
}

func match(m bear.Match) string {
	e := open("match").attr("note-id", m.ID).attr("title", m.Title).attr("tags", tagList(m.Tags)).attr("updated-at", date(m.Modified)).
		attr("total-hits", strconv.Itoa(m.TotalHits)).flag("archived", m.Archived).flag("encrypted", m.Encrypted)
	var content strings.Builder
	if m.Snippet.Line > 0 {
		fmt.Fprintf(&content, "\n  <snippet line=\"%d\">%s</snippet>", m.Snippet.Line, xmltext.Escape(m.Snippet.Text))
	}
	if len(m.Hits) > 0 {
		numbers := make([]string, len(m.Hits))
		for i, n := range m.Hits {
			numbers[i] = strconv.Itoa(n)
		}
		fmt.Fprintf(&content, "\n  <hits>%s</hits>", strings.Join(numbers, ", "))
	}
	if content.Len() == 0 {
		return e.String() + "/>"
	}
	return e.end("match", content.String()+"\n")
}
