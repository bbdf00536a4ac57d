package render

import (
	"fmt"
	"strings"

	"github.com/jptool/jptool/examples/grizzly/internal/bear"
	"github.com/jptool/jptool/examples/internal/xmltext"
)

// Share returns the share of an answer that a note needs. It is more than 1 if the note does not fit.
func Share(n bear.Note) float64 { return share(note(n)) }

// Notes formats notes, then the missing ids, in at most limit bytes ([DefaultLimit] if it is not positive):
//
//	<note id="ID" title="T" tags="a b" updated-at="2023-03-08 22:26:41">
//	<![CDATA[TEXT]]>
//	</note>
//	<missing id="ID"/>
//
// The attributes archived="true" and encrypted="true" are present only if they apply. If lines were requested,
// each line of TEXT begins with its number: "007: ". <info> elements describe what is omitted from a note or from
// the answer.
func Notes(notes []bear.Note, missing []string, limit int) string {
	a := newAnswer(limit)
	var left []string
	for _, n := range notes {
		if !a.add(note(n)) {
			left = append(left, n.ID)
		}
	}
	if len(left) > 0 {
		a.remark(Info("Showing %d of %d notes, because the others do not fit into one result. Request fewer notes, or only some of their lines. Omitted: %s",
			len(notes)-len(left), len(notes), someNames(left)))
	}
	for i, id := range missing {
		if !a.add(open("missing").attr("id", id).String() + "/>") {
			a.remark(Info("%d more ids are missing.", len(missing)-i))
			break
		}
	}
	return a.String()
}

// someNames returns a few names and the number of other names.
func someNames(names []string) string {
	const few = 10
	shown := make([]string, 0, few)
	for _, name := range names[:min(len(names), few)] {
		shown = append(shown, shorten(name, 60))
	}
	text := strings.Join(shown, ", ")
	if len(names) > few {
		text += fmt.Sprintf(" and %d more", len(names)-few)
	}
	return text
}

// shorten cuts text to the given number of runes.
func shorten(text string, runes int) string {
	if r := []rune(text); len(r) > runes {
		return string(r[:runes]) + "…"
	}
	return text
}

func note(n bear.Note) string {
	e := open("note").attr("id", n.ID).attr("title", n.Title).attr("tags", tagList(n.Tags)).attr("updated-at", date(n.Modified)).
		flag("archived", n.Archived).flag("encrypted", n.Encrypted)
	text := e.end("note", "\n"+xmltext.CDATA(body(n.Body))+"\n")
	if n.Body.Clipped > 0 {
		text += "\n" + Info("Line %d of note %s is too long for a result and has been shortened.", n.Body.Clipped, shorten(n.ID, 60))
	}
	if n.Body.Next > 0 {
		text += "\n" + rest(n)
	}
	if n.Body.Lines != nil && len(n.Body.Lines) == 0 {
		text += "\n" + missingLines(n)
	}
	return text
}

func body(b bear.Body) string {
	if b.Lines == nil {
		return b.Text
	}
	lines := make([]string, len(b.Lines))
	for i, l := range b.Lines {
		lines[i] = fmt.Sprintf("%03d: %s", l.Number, l.Text)
	}
	return strings.Join(lines, "\n")
}

// missingLines returns text that says which lines a note has. It is used if the note has none of the
// requested lines.
func missingLines(n bear.Note) string {
	if n.Body.Total == 0 {
		return Info("Note %s has no text.", shorten(n.ID, 60))
	}
	return Info(`Note %s contains only lines "1-%d".`, shorten(n.ID, 60), n.Body.Total)
}

// rest returns text that says how to read the part of a note that exceeded the limit.
func rest(n bear.Note) string {
	return Info(`Note %s has %d lines and is truncated before line %d. Request it again with lines "%[3]d-%[2]d" to see more.`,
		shorten(n.ID, 60), n.Body.Total, n.Body.Next)
}
