package render

import (
	"strings"
	"unicode/utf8"

	"github.com/jptool/jptool/examples/bookworm/internal/crateuri"
)

// Readme returns a README, which is already Markdown.
func Readme(address crateuri.URI, text string, limit int) Answer {
	a := newAnswer(limit)
	if text == "" {
		a.remark("The README of %s %s is empty.", address.Crate, address.Version)
		return *a
	}
	a.put(Resource{address.String(), Markdown, a.part(address, "The README", strings.ToValidUTF8(text, "\uFFFD"), a.limit)})
	return *a
}

// part returns as much of the text as fits, starting where the URI points, and adds a remark on how to read the
// rest.
func (a *Answer) part(address crateuri.URI, what, text string, limit int) string {
	from := min(address.Offset(), len(text))
	for from < len(text) && !utf8.RuneStart(text[from]) {
		from++
	}
	shown := cut(text[from:], limit)
	if shown == "" && from < len(text) { // not even one rune fits
		_, n := utf8.DecodeRuneInString(text[from:])
		shown = text[from : from+n]
	}
	if len(shown) < len(text) {
		a.remark("%s has %d bytes; this part contains bytes %d to %d.", what, len(text), min(from+1, len(text)), from+len(shown))
	}
	if to := from + len(shown); to < len(text) {
		a.remark("The next part is at %s", address.Next(to))
	}
	return shown
}

// Source returns a source file: the lines that the URI selects ([crateuri.URI.Lines]), or all lines. If they
// exceed the limit, it returns as many lines as fit, and a remark on how to read the others.
func Source(address crateuri.URI, text string, limit int) Answer {
	a := newAnswer(limit)
	lines := strings.SplitAfter(strings.ToValidUTF8(text, "\uFFFD"), "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	want := address.Lines()
	if want.From == 0 {
		want = crateuri.Lines{From: 1, To: len(lines)}
	}
	want.To = min(want.To, len(lines))
	if want.From > want.To {
		a.put(Resource{address.String(), Rust, ""})
		a.remark("The file has %d lines.", len(lines))
		return *a
	}
	shown, size := want.From-1, 0
	for shown < want.To && size+len(lines[shown]) <= a.limit {
		size += len(lines[shown])
		shown++
	}
	chosen := strings.Join(lines[want.From-1:shown], "")
	if shown < want.From {
		chosen = cut(lines[shown], a.limit)
		shown++
		a.remark("Line %d has %d bytes, of which the first %d are shown.", shown, len(lines[shown-1]), len(chosen))
	}
	a.put(Resource{address.String(), Rust, chosen})
	if shown-want.From+1 < len(lines) {
		a.remark("Lines %d to %d of %d are shown.", want.From, shown, len(lines))
	}
	if shown < want.To {
		next := crateuri.Lines{From: shown + 1, To: want.To}
		address.Fragment = next.String()
		a.remark("The next part is at %s", address)
	}
	return *a
}
