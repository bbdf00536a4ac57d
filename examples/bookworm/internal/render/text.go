package render

import (
	"strings"

	"github.com/jptool/jptool/examples/bookworm/internal/crateuri"
)

// Readme returns a README, which is Markdown already.
func Readme(address crateuri.URI, text string, limit int) Answer {
	a := newAnswer(limit)
	shown := cut(strings.ToValidUTF8(text, "\uFFFD"), a.limit)
	a.put(Resource{address.String(), Markdown, shown})
	switch {
	case text == "":
		a.remark("The README is empty.")
	case len(shown) < len(text):
		a.remark("The README has %d bytes, of which the first %d are shown.", len(text), len(shown))
	}
	return *a
}

// Source returns a source file: the lines that the URI selects ([crateuri.URI.Lines]), or all lines. If they
// exceed the limit, it returns as many lines as fit, starting at the line that the URI points at
// ([crateuri.URI.Anchor]), and a remark how to get the others.
func Source(address crateuri.URI, text string, limit int) Answer {
	a := newAnswer(limit)
	lines := strings.SplitAfter(strings.ToValidUTF8(text, "\uFFFD"), "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	want := address.Lines()
	switch {
	case want.From == 0 && len(text) > a.limit && address.Anchor().From > 0:
		want = crateuri.Lines{From: address.Anchor().From, To: len(lines)}
	case want.From == 0:
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
		a.remark("Read on at %s", crateuri.URI{Crate: address.Crate, Version: address.Version, Root: address.Root, Path: address.Path, Fragment: next.Fragment()})
	}
	return *a
}
