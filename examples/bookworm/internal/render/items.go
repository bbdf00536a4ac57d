package render

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/jptool/jptool/examples/bookworm/internal/crateuri"
	"github.com/jptool/jptool/examples/bookworm/internal/index"
	"github.com/jptool/jptool/examples/bookworm/internal/rustdoc"
)

// Limits of an item in the results of a search, in bytes.
const (
	maxCode    = 400 // bytes of the declaration
	maxSummary = 300 // bytes of the first paragraph of the documentation
	maxAlso    = 3   // number of other paths
)

// Items formats the results of a search in a release. Each is an Item element with the URI of its documentation,
// and shows the first paragraph of the documentation. The URI of the search leads to the next results.
func Items(search crateuri.URI, r index.Result, limit int) Answer {
	a := newAnswer(limit)
	for _, h := range r.Hits {
		also := h.Also
		if more := len(also) - maxAlso; more > 0 {
			also = append(slices.Clone(also[:maxAlso]), fmt.Sprintf("%d more", more))
		}
		h.Declaration, h.Documentation = clip(h.Declaration, maxCode), summary(h.Documentation)
		e := item(search, h.Item)
		if !a.add(docs(search, h.Item), *e.addAll("also_at", also)) {
			break
		}
	}
	a.rest(search, "items", search.Offset()+len(a.Resources), r.Total)
	return *a
}

// List formats the list of items of a release. Each is an Item element on one line.
func List(list crateuri.URI, r index.Result, limit int) Answer {
	a := newAnswer(limit)
	var rows []string
	for _, h := range r.Hits {
		e := element{name: "Item"}
		e.add("path", h.Path).add("kind", string(h.Kind)).add("docs_resource", docs(list, h.Item))
		rows = append(rows, e.line())
	}
	a.lines(list, "Items", "items", rows, r.Total)
	return *a
}

// lines puts rows into one element, one row per line, as many as fit.
func (a *Answer) lines(list crateuri.URI, name, what string, rows []string, total int) {
	var b strings.Builder
	n := 0
	for _, row := range rows {
		if n > 0 && b.Len()+len(row)+len("  \n")+2*len("<></>\n")+2*len(name) > a.limit {
			break
		}
		b.WriteString("  " + row + "\n")
		n++
	}
	a.put(Resource{list.String(), XML, "<" + name + ">\n" + b.String() + "</" + name + ">"})
	a.rest(list, what, list.Offset()+n, total)
}

// Item formats an item as an Item element with the item's URI. Documentation that does not fit is shown in
// parts. The first part contains the declaration.
func Item(address crateuri.URI, it rustdoc.Item, limit int) Answer {
	a := newAnswer(limit)
	address = address.Item(it.Page, it.Fragment).Next(address.Offset())
	if address.Offset() == 0 {
		address.After = ""
	}
	whole := it
	if address.After == "" && len(it.Declaration)+len(it.Documentation) <= a.limit {
		if e := item(address, it); len(e.String()) <= a.limit {
			a.add(address.String(), e)
			return *a
		}
	}
	for n := a.limit / 4; n > 0 && len(content(it.Declaration)) > a.limit/2; n /= 2 {
		it.Declaration = clip(whole.Declaration, n)
	}
	if it.Declaration != whole.Declaration {
		a.remark("The declaration is truncated; %s has all %d bytes.", cmp.Or(source(address, it), "its source"), len(whole.Declaration))
	}
	if address.After != "" {
		it.Declaration, a.Remarks = "", nil
	}
	remarks := a.Remarks
	// A byte of the documentation may take several bytes in XML.
	for room := a.limit; ; {
		a.Remarks = remarks
		it.Documentation = a.part(address, "The documentation", whole.Documentation, room)
		e := item(address, it)
		n := len(e.String())
		if n <= a.limit || room < 16 {
			a.add(address.String(), e)
			return *a
		}
		room = min(len(it.Documentation), room)
		room = min(room*a.limit/n, room-(n-a.limit)/8-1)
	}
}

func item(release crateuri.URI, it rustdoc.Item) element {
	e := element{name: "Item"}
	e.add("path", it.Path).add("kind", string(it.Kind)).add("type_info", it.Declaration).add("documentation", it.Documentation).
		add("docs_resource", docs(release, it)).add("src_resource", source(release, it)).
		add("from_trait", it.Trait)
	return e
}

// linkForm matches a link in Markdown.
var linkForm = regexp.MustCompile(`\[([^\]]*)\]\([^) ]*\)`)

// summary returns the first paragraph of text after its headings, on one line, without the targets of links.
func summary(text string) string {
	first := ""
	for paragraph := range strings.SplitSeq(text, "\n\n") {
		if paragraph = strings.TrimSpace(paragraph); paragraph == "" {
			continue
		}
		first = cmp.Or(first, paragraph)
		if !strings.HasPrefix(paragraph, "#") && !strings.HasPrefix(paragraph, "```") && !strings.HasPrefix(paragraph, "[![") {
			first = paragraph
			break
		}
	}
	first = linkForm.ReplaceAllString(strings.Join(strings.Fields(first), " "), "$1")
	return clip(first, maxSummary)
}

// clip shortens text to about limit bytes, at the end of a line or a word if possible, and marks the cut.
func clip(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	head := trimRune(text[:limit])
	if i := strings.LastIndexAny(head, " \n"); i > limit/2 {
		head = head[:i]
	}
	return strings.TrimRight(head, " \n") + "…"
}

func docs(release crateuri.URI, it rustdoc.Item) string {
	return release.Item(it.Page, it.Fragment).String()
}

// source returns the URI of an item's source. It may be a web URL if the item is from another crate.
func source(release crateuri.URI, it rustdoc.Item) string {
	if it.Source == "" {
		return ""
	}
	target := it.Source
	if it.Lines != "" {
		target += "#" + it.Lines
	}
	return rustdoc.Address(release, target)
}

// Sources formats the list of a release's source files as a Resources element with the URI address.
func Sources(list crateuri.URI, pages []crateuri.URI, limit int) Answer {
	a := newAnswer(limit)
	if len(pages) == 0 {
		a.remark("The documentation has no source files.")
	}
	var rows []string
	for _, page := range pages[min(list.Offset(), len(pages)):] {
		rows = append(rows, "<url>"+content(page.String())+"</url>")
	}
	a.lines(list, "Resources", "source files", rows, len(pages))
	return *a
}
