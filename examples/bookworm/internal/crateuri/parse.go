package crateuri

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"
)

// ErrURI is wrapped by every error that [Parse] returns.
var ErrURI = errors.New("invalid URI")

const alphanumeric = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// isVersion reports whether text contains only characters that versions and requirements can contain.
func isVersion(text string) bool {
	return text != "" && len(text) <= maxVersion && strings.Trim(text, alphanumeric+".+*^~<>=, -") == ""
}

// Name validates the name of a crate: crates.io allows at most 64 letters, digits, - and _.
func Name(name string) error {
	if name == "" || len(name) > maxName || strings.Trim(name, alphanumeric+"_-") != "" || strings.ContainsAny(name[:1], "_-") {
		return fmt.Errorf("invalid crate name %q: must have 1 to %d letters, digits, - and _", shorten(name), maxName)
	}
	return nil
}

// Parse parses a URI, or the URL of a page on docs.rs or crates.io. It checks NAME with [Name], accepts the root
// in any case, decodes path segments once, and ignores trailing slashes. It rejects segments that are empty, "."
// or "..", or contain a slash, a backslash or a control character. It also rejects a user name
// and a port. Errors wrap [ErrURI] and describe the correct form.
func Parse(address string) (URI, error) {
	target := strings.TrimSpace(address)
	if translated, ok := translate(target); ok {
		target = translated
	}
	u, err := parse(target)
	switch {
	case err == nil:
		return u, nil
	case strings.Contains(err.Error(), "use "):
		return URI{}, fmt.Errorf("%w %q: %w", ErrURI, shorten(address), err)
	}
	return URI{}, fmt.Errorf("%w %q: %w; %w", ErrURI, shorten(address), err, instead(strings.TrimPrefix(target, scheme)))
}

func parse(address string) (URI, error) {
	if len(address) > maxLength {
		return URI{}, fmt.Errorf("must have at most %d bytes", maxLength)
	}
	if len(address) < len(scheme) || !strings.EqualFold(address[:len(scheme)], scheme) {
		return URI{}, instead(address)
	}
	rest, fragment, _ := strings.Cut(address[len(scheme):], "#")
	rest, query, _ := strings.Cut(rest, "?")
	segments := strings.Split(strings.TrimRight(rest, "/"), "/")
	u := URI{Crate: segments[0]}
	if strings.ContainsAny(u.Crate, "@:") {
		if name, version := Meant(u.Crate); version != "" {
			segments = append([]string{name, version}, segments[1:]...)
			return URI{}, fmt.Errorf("use %q", scheme+strings.Join(segments, "/"))
		}
		return URI{}, errors.New("a user name or a port is not allowed")
	}
	if err := Name(u.Crate); err != nil {
		return URI{}, err
	}
	for i, s := range segments {
		text, err := segment(s)
		if err != nil {
			return URI{}, err
		}
		segments[i] = text
	}
	if len(segments) > 1 {
		u.Version = segments[1]
		if !isVersion(u.Version) {
			return URI{}, fmt.Errorf("invalid version %q; use latest, a version such as 1.2.3, or a requirement such as ^1", shorten(u.Version))
		}
	}
	if len(segments) > 2 {
		u.Root = Root(strings.ToLower(segments[2]))
		if u.Root != Readme && strings.HasPrefix(string(u.Root), string(Readme)+".") {
			return URI{}, fmt.Errorf("use %q", URI{Crate: u.Crate, Version: u.Version, Root: Readme}.String())
		}
		if known := u.Root == Readme || u.Root == Items || u.Root == Sources; !known && (len(segments) > 3 || strings.ContainsAny(segments[2], ".:")) {
			return URI{}, fmt.Errorf("use %q", URI{Crate: u.Crate, Version: u.Version, Root: Items, Path: strings.Join(segments[2:], "/")}.String())
		} else if !known {
			return URI{}, fmt.Errorf("unknown path %q after the version; use readme, items or src", shorten(segments[2]))
		}
		u.Path = strings.Join(segments[3:], "/")
	}
	if err := u.setQuery(query); err != nil || u.Path == "" {
		return u, err
	}
	if u.Root == Readme {
		return URI{}, fmt.Errorf("readme must be the end of the URI; use %q", URI{Crate: u.Crate, Version: u.Version, Root: Readme}.String())
	}
	if !fs.ValidPath(u.Path) {
		return URI{}, fmt.Errorf("invalid path %q", shorten(u.Path))
	}
	return u, u.setFragment(fragment)
}

// setQuery decodes the query. Only URIs of lists and long text have a query.
func (u *URI) setQuery(query string) error {
	if query == "" {
		return nil
	}
	values, err := url.ParseQuery(query)
	if err != nil {
		return fmt.Errorf("invalid query %q; a percent sign must be followed by two hexadecimal digits", shorten(query))
	}
	for key := range values {
		list := u.Root == Items && u.Path == ""
		known := key == "after" && u.Continues() || (key == "q" || key == "kinds") && list
		if !known && list {
			return fmt.Errorf("unknown query parameter %q; use \"q\", \"kinds\" or \"after\"", shorten(key))
		} else if !known {
			return fmt.Errorf("unknown query parameter %q; write ?q=TEXT to search a list of items, and write a question mark in a name as %%3F", shorten(key))
		}
		if text := values.Get(key); len(text) > maxFragment {
			return fmt.Errorf("the query must have at most %d bytes", maxFragment)
		} else if err := legible(text); err != nil {
			return err
		}
	}
	u.Search, u.Kinds, u.After = values.Get("q"), values.Get("kinds"), values.Get("after")
	return nil
}

// segment decodes a path segment.
func segment(s string) (string, error) {
	text, err := url.PathUnescape(s)
	switch {
	case err != nil:
		return "", fmt.Errorf("%q: a percent sign must be followed by two hexadecimal digits", shorten(s))
	case text == "":
		return "", errors.New("a path segment is empty")
	case text == "." || text == "..":
		return "", fmt.Errorf("path segment %q is not allowed", s)
	case strings.ContainsAny(text, `/\`):
		return "", fmt.Errorf("%q contains an encoded slash or a backslash", shorten(s))
	}
	return text, legible(text)
}

// setFragment decodes the fragment.
func (u *URI) setFragment(s string) error {
	text, err := url.PathUnescape(s)
	switch {
	case err != nil:
		return fmt.Errorf("#%q: a percent sign must be followed by two hexadecimal digits", shorten(s))
	case len(text) > maxFragment:
		return fmt.Errorf("the fragment must have at most %d bytes", maxFragment)
	}
	if err := legible(text); err != nil {
		return err
	}
	u.Fragment = text
	_, err = u.lines()
	return err
}

// legible rejects characters that do not occur in page names and that would garble a log or an answer.
func legible(text string) error {
	if !utf8.ValidString(text) {
		return fmt.Errorf("%q is not UTF-8", shorten(text))
	}
	if i := strings.IndexFunc(text, unicode.IsControl); i >= 0 {
		return fmt.Errorf("%q contains a control character", shorten(text))
	}
	return nil
}

// shorten limits the length of text in messages.
func shorten(text string) string {
	const limit = 80
	if len(text) <= limit {
		return strings.ToValidUTF8(text, "\uFFFD")
	}
	return strings.ToValidUTF8(text[:limit], "") + "…"
}
