package rustdoc

import (
	"net/url"
	"path"
	"strings"

	"github.com/jptool/jptool/examples/bookworm/internal/crateuri"
)

// resolve returns the target of a link on a page of the archive: a name in the archive with its fragment, or,
// if outside is true, an absolute URL. It returns "" for links without a target, such as scripts.
func resolve(page, href string) (target string, outside bool) {
	u, err := url.Parse(href)
	if err != nil {
		return "", true
	}
	switch u.Scheme {
	case "":
	case "http", "https", "mailto", "ftp":
		return href, true
	default:
		return "", true
	}
	if u.Host != "" {
		u.Scheme = "https"
		return u.String(), true
	}
	if u.Path == "" {
		return page + "#" + u.Fragment, false
	}
	// docs.rs serves the archive below /CRATE/VERSION/, so links that leave it lead to another crate or to a
	// page of docs.rs itself.
	if strings.HasPrefix(u.Path, "/") {
		return "https://docs.rs" + u.String(), true
	}
	full := path.Join("/crate/version", path.Dir(page), u.Path)
	name, inside := strings.CutPrefix(full, "/crate/version/")
	if strings.HasPrefix(full, "/crate/") && !inside {
		return "", true // the link leads to another version, which the archive does not contain
	}
	if !inside {
		u.Path = full
		return "https://docs.rs" + u.String(), true
	}
	if strings.HasSuffix(u.Path, "/") {
		name += "/index.html"
	}
	if u.Fragment != "" {
		name += "#" + u.Fragment
	}
	return name, false
}

// Address returns the URI of a page in the archive of a release, with its fragment if it has one. It returns an
// external URL unchanged.
func Address(release crateuri.URI, target string) string {
	if strings.Contains(target, "://") || strings.HasPrefix(target, "mailto:") {
		return target
	}
	name, fragment, _ := strings.Cut(target, "#")
	if source, ok := strings.CutPrefix(name, "src/"); ok {
		return release.Source(source, fragment).String()
	}
	return release.Item(name, fragment).String()
}
