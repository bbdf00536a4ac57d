package terminal

import (
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"golang.org/x/term"

	"github.com/jptool/jptool/internal/tty"
)

// A Page describes the layout of text.
type Page struct {
	// Width is the number of characters per line.
	Width int
	// Color enables bold and dim text.
	Color bool
}

// widest is the number of characters per line in files, and the maximum on a terminal, because longer lines are
// hard to read.
const widest = 100

// PageOf returns the page for a writer. Color is used only on terminals, unless NO_COLOR is set (no-color.org)
// or TERM is dumb.
func PageOf(w io.Writer) Page {
	f, ok := w.(*os.File)
	if !ok || !tty.Is(f) {
		return Page{Width: widest}
	}
	p := Page{Width: widest, Color: os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"}
	if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
		p.Width = max(min(width, widest), 40)
	}
	return p
}

// Bold returns text in bold if color is enabled.
func (p Page) Bold(text string) string { return p.in("1", text) }

// Dim returns text dimmed if color is enabled.
func (p Page) Dim(text string) string { return p.in("2", text) }

func (p Page) in(code, text string) string {
	if !p.Color || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// Wrap cleans and indents text, and breaks it into lines that fit the page. It keeps paragraphs separate. A
// word that is too long gets a separate line.
func (p Page) Wrap(text, indent string) string {
	var b strings.Builder
	for i, paragraph := range strings.Split(strings.TrimSpace(Clean(text)), "\n") {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(p.fill(paragraph, indent))
	}
	return b.String()
}

func (p Page) fill(line, indent string) string {
	var b strings.Builder
	// Keep the indentation of a line, such as a line of a list or of code, if that leaves room for
	// words.
	own := indent + line[:min(len(line)-len(strings.TrimLeft(line, " ")), p.Width/2)]
	used := 0
	for _, word := range strings.Fields(line) {
		n := utf8.RuneCountInString(word)
		switch {
		case used == 0:
			b.WriteString(own)
			used = len(own)
		case used+1+n > p.Width:
			b.WriteString("\n" + own)
			used = len(own)
		default:
			b.WriteByte(' ')
			used++
		}
		b.WriteString(word)
		used += n
	}
	return b.String()
}
