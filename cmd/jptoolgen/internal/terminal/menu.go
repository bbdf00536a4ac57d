package terminal

import (
	"fmt"
	"strings"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/shape"
)

const (
	// pageOfChoices is the number of choices that are printed in one part.
	pageOfChoices = 20
	// more is the input line that asks for the next choices.
	more = ":more"
)

// A menu prints the choices of a question in parts, and finds the choices that contain some text.
type menu struct {
	choices []shape.Choice
	found   []int // the positions of the choices to print
	next    int   // the index in found of the first choice that has not been printed yet
}

func newMenu(s shape.Schema) *menu {
	if isList(s) {
		s = *s.Items
	}
	m := &menu{choices: s.Choices}
	m.find("")
	return m
}

// isLong reports whether there are too many choices for one part.
func (m *menu) isLong() bool { return len(m.choices) > pageOfChoices }

// find handles a line that is not an answer. It selects the next choices for [more], or the choices that contain the
// line, and reports whether there is something to print. It returns false for a list that was printed completely.
func (m *menu) find(text string) bool {
	if text == more && m.next < len(m.found) {
		return true
	}
	if text != "" && !m.isLong() {
		return false
	}
	text = strings.ToLower(strings.TrimSpace(text))
	var found []int
	for i, c := range m.choices {
		if strings.Contains(strings.ToLower(shape.Word(c.Value)+"\n"+c.Label), text) {
			found = append(found, i)
		}
	}
	if len(found) > 0 {
		m.found, m.next = found, 0
	}
	return len(found) > 0
}

// print prints the next choices and their positions among all choices.
func (m *menu) print(a *Asker) {
	end := min(m.next+pageOfChoices, len(m.found))
	for _, i := range m.found[m.next:end] {
		word, label := Line(shape.Word(m.choices[i].Value), 200), Line(m.choices[i].Label, 200)
		if label != "" && label != word {
			word += "  " + a.page.Dim(label)
		}
		_, _ = fmt.Fprintf(a.out, "  %d. %s\n", i+1, word)
	}
	m.next = end
	if rest := len(m.found) - end; rest > 0 {
		_, _ = fmt.Fprintf(a.out, "  … and %d more. Type %s to see more, or a part of a choice to search.\n", rest, more)
	}
}
