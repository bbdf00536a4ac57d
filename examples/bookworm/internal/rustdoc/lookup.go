package rustdoc

import (
	"path"
	"slices"
	"strings"
)

// words returns the keys of a map of kinds, in the order of [Kinds]. Each key is the first word of names. A
// tymethod, which is a required method of a trait, comes before the methods of the trait's impls.
func words(kinds map[string]Kind) []string {
	var all []string
	for word := range kinds {
		all = append(all, word)
	}
	slices.SortFunc(all, func(a, b string) int {
		if kinds[a] == kinds[b] {
			return strings.Compare(b, a)
		}
		order := Kinds()
		return slices.Index(order, kinds[a]) - slices.Index(order, kinds[b])
	})
	return all
}

// paths returns the archive paths that a name may mean: the name itself, the name below the directory of the
// library, and the name with that directory in place of the crate's name.
func (d *Docs) paths(name string) []string {
	all := []string{name, d.lib + "/" + name}
	if first, rest, _ := strings.Cut(name, "/"); first == d.crate || strings.ReplaceAll(first, "-", "_") == d.lib {
		all = append(all, path.Join(d.lib, rest))
	}
	return all
}

// itemPage returns the page of an item, and the part of the page that describes it. The item is given
// by its path, such as serde_json::Value::pointer, or by the name of its page without .html.
func (d *Docs) itemPage(name string) (page, part string, ok bool) {
	name = strings.TrimSuffix(strings.TrimSuffix(strings.ReplaceAll(name, "::", "/"), "/"), "()")
	for _, at := range d.paths(name) {
		if page, ok := d.pageOf(at); ok {
			return page, "", true
		}
	}
	parent, member := path.Split(name)
	for _, at := range d.paths(strings.TrimSuffix(parent, "/")) {
		page, ok := d.pageOf(at)
		if !ok {
			continue
		}
		data, err := d.read(page)
		if err != nil {
			continue
		}
		for _, word := range words(memberKinds) {
			if _, err := d.itemOf(page, data, word+"."+member); err == nil {
				return page, word + "." + member, true
			}
		}
	}
	return "", "", false
}

// pageOf returns the page of the item at a path in the archive, or false if the archive has no such page.
func (d *Docs) pageOf(at string) (page string, ok bool) {
	dir, name := path.Split(at)
	if dir == "" && at != d.lib || strings.Contains("/"+at+"/", "/src/") && !strings.HasPrefix(at, d.lib+"/") {
		return "", false
	}
	names := []string{at + "/index.html", at + ".html"}
	for _, word := range words(pageKinds) {
		names = append(names, dir+word+"."+name+".html")
	}
	i := slices.IndexFunc(names, func(name string) bool {
		_, _, ok := pageItem(name)
		return ok && has(d.fsys, name)
	})
	if i < 0 {
		return "", false
	}
	return names[i], true
}
