// Package crateuri parses and formats the crate:// URIs of crates, releases, documentation pages and source
// files.
package crateuri

import (
	"net/url"
	"strconv"
	"strings"
)

// A Root is the part of a release that a URI points into.
type Root string

// The roots. The zero value means the crate or the release itself.
const (
	Readme  Root = "readme" // The README, as Markdown.
	Items   Root = "items"  // The list of items, or one page of the documentation.
	Sources Root = "src"    // The list of source files, or one of them.
)

const (
	scheme      = "crate://"
	latest      = "latest"
	maxLength   = 4096 // maximum size of a URI in bytes; the longest paths in docs.rs archives are far shorter
	maxName     = 64   // crates.io's limit
	maxVersion  = 128
	maxFragment = 1024
)

// A URI is a parsed crate:// URI. Its parts are percent-decoded.
type URI struct {
	Crate   string // as requested, not normalized
	Version string // exact, a requirement, "latest", or empty
	Root    Root
	// Path is the path below Root, with forward slashes. It is valid for an [io/fs.FS], and empty for the root
	// itself.
	Path string
	// Search and Kinds select items in the list of items. An item must match Search and have one of Kinds, which
	// are separated by commas.
	Search, Kinds string
	// After selects what follows the part that was already read. It is the number of items, files or bytes
	// in that part or, in the list of versions, the last version that was read.
	After string
	// Fragment selects a part of the page. Only pages of items and sources have one.
	Fragment string
}

// Continues reports whether the URI is for a list or for text that can be read in parts.
func (u URI) Continues() bool {
	return u.Root == Readme || u.Root == Items || u.Root == Sources && u.Path == "" || u.Version == ""
}

// Offset returns After as a number, or 0 if it is not a number.
func (u URI) Offset() int {
	n, err := strconv.Atoi(u.After)
	if err != nil {
		return 0
	}
	return max(n, 0)
}

// Next returns the URI of the part that follows n items, files or bytes.
func (u URI) Next(n int) URI {
	u.After = strconv.Itoa(n)
	return u
}

// String returns the URI in percent-encoded ASCII. [Parse] parses it to the same value.
func (u URI) String() string {
	var b strings.Builder
	b.WriteString(scheme)
	b.WriteString(u.Crate)
	if u.Version != "" {
		b.WriteByte('/')
		escape(&b, u.Version, "")
	}
	if u.Root != "" {
		b.WriteByte('/')
		b.WriteString(string(u.Root))
	}
	if u.Path != "" {
		b.WriteByte('/')
		escape(&b, u.Path, "/")
	}
	mark := byte('?')
	for _, q := range [][2]string{{"q", u.Search}, {"kinds", u.Kinds}, {"after", u.After}} {
		if q[1] != "" {
			b.WriteByte(mark)
			b.WriteString(q[0] + "=" + strings.ReplaceAll(url.QueryEscape(q[1]), "%2C", ","))
			mark = '&'
		}
	}
	if u.Fragment != "" {
		b.WriteByte('#')
		escape(&b, u.Fragment, "/?")
	}
	return b.String()
}

// Of returns the URI of a release, or of a crate if version is empty.
func Of(crate, version string) URI { return URI{Crate: crate, Version: version} }

// Item returns the URI of a page of u's release, such as serde_json/value/enum.Value.html, or of a part of the
// page if fragment is not empty.
func (u URI) Item(page, fragment string) URI {
	return URI{Crate: u.Crate, Version: u.Version, Root: Items, Path: page, Fragment: fragment}
}

// Source returns the URI of a source file of u's release, such as serde_json/value/mod.rs.html, with a line
// fragment in rustdoc's format.
func (u URI) Source(page, fragment string) URI {
	return URI{Crate: u.Crate, Version: u.Version, Root: Sources, Path: page, Fragment: fragment}
}

// Page returns the name of the page in a docs.rs archive: index.html for a directory, and the page x.rs.html for
// src/…/x.rs. It is "" if u does not point to a page.
func (u URI) Page() string {
	switch {
	case u.Path == "":
		return ""
	case u.Root == Sources && strings.HasSuffix(u.Path, ".html"):
		return "src/" + u.Path
	case u.Root == Sources:
		return "src/" + u.Path + ".html"
	case strings.HasSuffix(u.Path, ".html"):
		return u.Path
	}
	return u.Path + "/index.html"
}

// escape writes text and percent-encodes every byte that a URI does not allow, except the bytes in
// also.
func escape(b *strings.Builder, text, also string) {
	const hex = "0123456789ABCDEF"
	for i := range len(text) {
		c := text[i]
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9',
			strings.IndexByte("-._~!$&'()*+,;=:@", c) >= 0, strings.IndexByte(also, c) >= 0:
			b.WriteByte(c)
		default:
			b.WriteByte('%')
			b.WriteByte(hex[c>>4])
			b.WriteByte(hex[c&15])
		}
	}
}
