package rustdoc

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"path"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"github.com/jptool/jptool/examples/bookworm/internal/crateuri"
)

// ErrNotFound is wrapped by errors about missing pages and missing parts of pages.
var ErrNotFound = errors.New("not found")

// A missingError is an [ErrNotFound] that names the missing page or part.
type missingError struct{ error }

func missing(format string, args ...any) error { return missingError{fmt.Errorf(format, args...)} }

// Is reports whether target is [ErrNotFound].
func (missingError) Is(target error) bool { return target == ErrNotFound }

// Unwrap returns the cause.
func (e missingError) Unwrap() error { return e.error }

// Docs is the documentation for one release: an archive from docs.rs, with the pages for the default target at its
// root.
type Docs struct {
	fsys  fs.FS
	crate string
	lib   string
	md    *markdown
}

// Open opens the documentation for a crate in an archive. Links in documentation can be bound to any release; see
// [Bind]. Open returns the same errors as [Library].
func Open(fsys fs.FS, crate string) (*Docs, error) {
	lib, err := Library(fsys, crate)
	if err != nil {
		return nil, err
	}
	return &Docs{fsys: fsys, crate: crate, lib: lib, md: newMarkdown()}, nil
}

// Library finds the directory of a crate's library in an archive. The library may have a different name from the
// crate. It is the only directory at the root that has its own page. If no directory or more than one has such a
// page, the error wraps [ErrNotFound] and lists the candidates.
func Library(fsys fs.FS, crate string) (string, error) {
	if lib := strings.ReplaceAll(crate, "-", "_"); has(fsys, lib+"/index.html") {
		return lib, nil
	}
	entries, err := fs.ReadDir(fsys, ".")
	if err != nil {
		return "", fmt.Errorf("read the documentation for %s: %w", crate, err)
	}
	var libs []string
	for _, e := range entries {
		if e.IsDir() && has(fsys, e.Name()+"/index.html") && has(fsys, e.Name()+"/all.html") {
			libs = append(libs, e.Name())
		}
	}
	if len(libs) > 1 {
		libs = slices.DeleteFunc(libs, func(lib string) bool { return !has(fsys, "src/"+lib+"/lib.rs.html") })
	}
	switch len(libs) {
	case 0:
		return "", missing("the archive does not contain the documentation for a library")
	case 1:
		return libs[0], nil
	}
	const limit = 8
	return "", missing("the archive has %d libraries: %s", len(libs), strings.Join(libs[:min(len(libs), limit)], ", "))
}

func has(fsys fs.FS, name string) bool {
	info, err := fs.Stat(fsys, name)
	return err == nil && !info.IsDir()
}

// read returns a page. It rejects a page that is larger than any page that rustdoc writes.
func (d *Docs) read(name string) ([]byte, error) {
	info, err := fs.Stat(d.fsys, name)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return nil, fmt.Errorf("%s: %w", name, fs.ErrNotExist)
	}
	if info.Size() > maxPage {
		return nil, missing("%s: %w", name, errTooLarge)
	}
	return fs.ReadFile(d.fsys, name)
}

// Item returns the item at a URI. With a fragment, this is a part of the page's item. Item follows redirects
// within the archive. Errors about missing items wrap [ErrNotFound] and say how to find existing items.
func (d *Docs) Item(u crateuri.URI) (Item, error) {
	name, part := u.Page(), u.Fragment
	for range 4 {
		data, at, err := d.find(name)
		if errors.Is(err, fs.ErrNotExist) {
			page, member, ok := d.itemPage(u.Path)
			if !ok || page == name {
				_, last := path.Split(strings.TrimSuffix(strings.ReplaceAll(u.Path, "::", "/"), ".html"))
				return Item{}, missing("no item %s; use crate_search_items with query %q", u.Path, last[strings.LastIndexByte(last, '.')+1:])
			}
			name, part = page, cmp.Or(part, member)
			continue
		}
		if err != nil {
			return Item{}, err
		}
		target, moved := redirect(data)
		if !moved {
			it, err := d.itemOf(at, data, part)
			if err != nil && part != "" && errors.Is(err, ErrNotFound) {
				err = missing("%w; read %s", err, u.Item(at, ""))
			}
			it.Documentation = Bind(it.Documentation, u)
			return it, err
		}
		next, outside := resolve(at, target)
		if outside || next == "" {
			return Item{}, missing("%s has moved to %s", at, target)
		}
		name, _, _ = strings.Cut(next, "#")
	}
	return Item{}, missing("too many redirects from %s", u.Page())
}

func (d *Docs) itemOf(name string, data []byte, part string) (Item, error) {
	p, err := parsePage(name, data, d.md)
	if err != nil {
		return Item{}, missing("%s: %w; use crate_search_items to find items", name, err)
	}
	if part == "" {
		return p.item()
	}
	n := find(p.main, func(n *html.Node) bool {
		id := attribute(n, "id")
		return id != "" && (id == part || fragment(id) == part)
	})
	if n == nil {
		return Item{}, missing("%s has no part %q", name, part)
	}
	return p.member(n)
}

// find reads the page with the requested name, or a page at another path that the name may mean.
func (d *Docs) find(name string) (data []byte, at string, err error) {
	for _, at := range d.paths(name) {
		data, err := d.read(at)
		if !errors.Is(err, fs.ErrNotExist) {
			return data, at, err
		}
	}
	return nil, "", fs.ErrNotExist
}

// Source returns the complete text of the source file at a URI. If it is missing, the error wraps [ErrNotFound].
func (d *Docs) Source(u crateuri.URI) (string, error) {
	name := strings.TrimPrefix(u.Page(), "src/")
	_, rest, _ := strings.Cut(name, "/")
	var data []byte
	err := fs.ErrNotExist
	for _, at := range []string{name, path.Join(d.lib, rest), path.Join(d.lib, name)} {
		if data, err = d.read("src/" + at); !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		list := crateuri.URI{Crate: u.Crate, Version: u.Version, Root: crateuri.Sources}
		return "", missing("no source file %s; use %s to list them", u.Path, list)
	}
	if err != nil {
		return "", err
	}
	text, err := sourceText(data)
	if err != nil {
		return "", missing("%s: %w", name, err)
	}
	return text, nil
}

// SourcePages returns the URIs of all source files of a release, in order.
func (d *Docs) SourcePages(release crateuri.URI) ([]crateuri.URI, error) {
	pages := []crateuri.URI{}
	err := fs.WalkDir(d.fsys, "src", func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if !e.IsDir() && strings.HasSuffix(name, ".rs.html") {
			pages = append(pages, release.Source(strings.TrimPrefix(name, "src/"), ""))
		}
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) {
		return pages, nil
	}
	return pages, err
}

// Pages yields the names of the pages that may describe items, in order.
func (d *Docs) Pages(ctx context.Context) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		err := fs.WalkDir(d.fsys, d.lib, func(name string, e fs.DirEntry, err error) error {
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				return err
			}
			if e.IsDir() || path.Ext(name) != ".html" {
				return nil
			}
			if _, _, ok := pageItem(name); ok && !yield(name, nil) {
				return fs.SkipAll
			}
			return nil
		})
		if err != nil {
			yield("", err)
		}
	}
}

// Items returns the items of the crate that a page shows: the item of the page, then its members. It returns no
// items for pages that are redirects, show a source file, or are too large. Links in documentation are unbound;
// see [Bind].
func (d *Docs) Items(name string) ([]Item, error) {
	data, err := d.read(name)
	if errors.Is(err, errTooLarge) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if _, moved := redirect(data); moved {
		return nil, nil
	}
	p, err := parsePage(name, ownPart(data), d.md)
	if errors.Is(err, errNoItem) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	it, err := p.item()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	items := []Item{it}
	for m, err := range p.members() {
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		items = append(items, m)
	}
	return items, nil
}
