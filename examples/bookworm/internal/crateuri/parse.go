package crateuri

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Forms lists the valid forms of a URI, for messages and descriptions.
const Forms = "crate://NAME, crate://NAME/VERSION, crate://NAME/VERSION/readme, crate://NAME/VERSION/items[/PAGE.html[#PART]] or crate://NAME/VERSION/src[/FILE.rs[#L10-L40]]"

// ErrURI is wrapped by every error of [Parse].
var ErrURI = errors.New("invalid crate URI")

var (
	names    = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]*$`)
	versions = regexp.MustCompile(`^[0-9A-Za-z.+*^~<>=, -]+$`)
)

// Name validates the name of a crate: crates.io allows at most 64 letters, digits, - and _.
func Name(name string) error {
	if len(name) > maxName || !names.MatchString(name) {
		return fmt.Errorf("invalid crate name %q: must have 1 to %d letters, digits, - and _, and must not begin with - or _", shorten(name), maxName)
	}
	return nil
}

// Parse parses a URI. It checks NAME with [Name], accepts the root in any case, decodes path segments once, and
// ignores trailing slashes. It rejects segments that are empty, "." or "..", or contain a slash, a backslash or
// a control character, and it rejects a user, a port and a query. Errors wrap [ErrURI] and say what to type.
func Parse(address string) (URI, error) {
	u, err := parse(address)
	if err != nil {
		return URI{}, fmt.Errorf("%w: %q: %w", ErrURI, shorten(address), err)
	}
	return u, nil
}

func parse(address string) (URI, error) {
	if len(address) > maxLength {
		return URI{}, fmt.Errorf("must have at most %d bytes", maxLength)
	}
	if len(address) < len(scheme) || !strings.EqualFold(address[:len(scheme)], scheme) {
		return URI{}, fmt.Errorf("must be %s", Forms)
	}
	rest, fragment, _ := strings.Cut(address[len(scheme):], "#")
	if strings.Contains(rest, "?") {
		return URI{}, errors.New("a query is not allowed; encode a question mark as %3F")
	}
	segments := strings.Split(strings.TrimRight(rest, "/"), "/")
	u := URI{Crate: segments[0]}
	if strings.ContainsAny(u.Crate, "@:") {
		return URI{}, errors.New("a user or a port is not allowed")
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
		if len(u.Version) > maxVersion || !versions.MatchString(u.Version) {
			return URI{}, fmt.Errorf("invalid version %q: must be latest, a version such as 1.2.3, or a requirement such as ^1", shorten(u.Version))
		}
	}
	if len(segments) > 2 {
		u.Root = Root(strings.ToLower(segments[2]))
		if u.Root != Readme && u.Root != Items && u.Root != Sources {
			return URI{}, fmt.Errorf("unknown path %q after the version: must be readme, items or src", shorten(segments[2]))
		}
		u.Path = strings.Join(segments[3:], "/")
	}
	if u.Path == "" {
		return u, nil
	}
	if u.Root == Readme {
		return URI{}, errors.New("readme must be the end of the URI")
	}
	if !fs.ValidPath(u.Path) {
		return URI{}, fmt.Errorf("invalid path %q", shorten(u.Path))
	}
	return u, u.setFragment(fragment)
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

// legible rejects characters that page names do not contain and that would garble a log or an answer.
func legible(text string) error {
	if !utf8.ValidString(text) {
		return fmt.Errorf("%q is not UTF-8", shorten(text))
	}
	if i := strings.IndexFunc(text, unicode.IsControl); i >= 0 {
		return fmt.Errorf("%q contains a control character", shorten(text))
	}
	return nil
}

// shorten limits the length of a text in messages.
func shorten(text string) string {
	const most = 80
	if len(text) <= most {
		return strings.ToValidUTF8(text, "\uFFFD")
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}
