package render

import (
	"github.com/jptool/jptool/examples/bookworm/internal/crateuri"
	"github.com/jptool/jptool/examples/bookworm/internal/index"
	"github.com/jptool/jptool/examples/bookworm/internal/rustdoc"
)

// Items formats the results of a search in a release, each as an Item element at the URI of its documentation.
func Items(release crateuri.URI, r index.Result, limit int) Answer {
	a := newAnswer(limit)
	for _, h := range r.Hits {
		if !a.add(docs(release, h.Item), item(release, h.Item, h.Also)) {
			break
		}
	}
	switch shown := len(a.Resources); {
	case r.Total == 0:
		a.remark("No items match. Search for less of the name, or for other kinds.")
	case shown < r.Total:
		a.remark("Showing %d of %d items that match. Search for more of the name, or for some kinds only, to see the others.", shown, r.Total)
	}
	return *a
}

// Item formats an item, as an Item element at the requested URI.
func Item(address crateuri.URI, it rustdoc.Item, limit int) Answer {
	a := newAnswer(limit)
	a.add(address.String(), item(address, it, nil))
	if source := source(address, it); len(a.Remarks) > 0 && source != "" {
		a.remark("Its source has the whole text: %s", source)
	}
	return *a
}

func item(release crateuri.URI, it rustdoc.Item, also []string) element {
	e := element{name: "Item"}
	e.add("path", it.Path).add("kind", string(it.Kind)).add("type_info", it.Declaration).add("documentation", it.Documentation).
		add("docs_resource", docs(release, it)).add("src_resource", source(release, it)).
		add("from_trait", it.Trait).addAll("also_at", also)
	return e
}

func docs(release crateuri.URI, it rustdoc.Item) string {
	return release.Item(it.Page, it.Fragment).String()
}

// source returns the URI of an item's source. For an item from another crate it may be a web URL.
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

// Sources formats the list of a release's source files, as a Resources element at address.
func Sources(address crateuri.URI, pages []crateuri.URI, limit int) Answer {
	a := newAnswer(limit)
	const around = len("<Resources>\n") + len("</Resources>") + len("  <url></url>\n")
	e, room := element{name: "Resources"}, a.limit-around
	for i, page := range pages {
		url := page.String()
		if room -= len(url) + len("  <url></url>\n"); room < 0 {
			a.remark("Showing %d of %d source files. Items name theirs: search for items to find the others.", i, len(pages))
			break
		}
		e.add("url", url)
	}
	if len(pages) == 0 {
		a.remark("The documentation comes without source files.")
	}
	a.put(Resource{address.String(), XML, e.String()})
	return *a
}
