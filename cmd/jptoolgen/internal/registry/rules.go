package registry

import (
	"fmt"
	"net"
	"net/url"
	"strings"
	"unicode/utf8"

	"golang.org/x/mod/module"

	"github.com/jptool/jptool/internal/lazyregexp"
)

var (
	isName  = lazyregexp.New(`^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$`)
	isRange = lazyregexp.New(`^[\^~<>=]|[*xX]$|\s-\s|\|\|`)
	isHash  = lazyregexp.New(`^[a-f0-9]{64}$`)
)

// Problems returns what the registry would refuse, one sentence each. The registry also checks the packages
// themselves, and who may use the name.
func (d *Document) Problems() (list []string) {
	add := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	if !isName().MatchString(d.Name) || len(d.Name) > 200 {
		add("name %q must be a domain in reverse order and a name, such as io.github.USER/notes; use --name", d.Name)
	}
	if n := utf8.RuneCountInString(d.Description); n == 0 || n > LongestDescription {
		add("description must have 1 to %d characters, not %d; use --description", LongestDescription, n)
	}
	if utf8.RuneCountInString(d.Title) > 100 {
		add("title must have at most 100 characters")
	}
	version := func(what, v string) {
		if v == "latest" || isRange().MatchString(v) || len(v) > 255 {
			add("%s %q must be one version, such as 1.2.0; use --release", what, v)
		}
	}
	if d.Version == "" {
		add("version is missing; use --release")
	}
	version("version", d.Version)
	if r := d.Repository; r != nil && !isWeb(r.URL) {
		add("repository %q must be a URL, such as https://github.com/USER/notes; use --repository", r.URL)
	}
	if len(d.Packages)+len(d.Remotes) == 0 {
		add("there is no way to run the server; use --mcpb, --image or --remote")
	}
	for _, p := range d.Packages {
		version(p.RegistryType+" version", p.Version)
		for _, problem := range p.problems() {
			add("%s %q %s", p.RegistryType, p.Identifier, problem)
		}
	}
	for _, r := range d.Remotes {
		if r.Type != "streamable-http" && r.Type != "sse" {
			add("remote type %q must be streamable-http or sse", r.Type)
		}
		if !isPublic(r.URL) {
			add("remote %q must be an https URL that others can reach; use --remote", r.URL)
		}
	}
	return list
}

func (p *Package) problems() (list []string) {
	switch p.RegistryType {
	case "mcpb":
		if u, err := url.Parse(p.Identifier); err != nil || u.Scheme != "https" || u.Host != "github.com" && u.Host != "gitlab.com" {
			list = append(list, "must be the https URL of a release on github.com or gitlab.com; use --mcpb")
		} else if !strings.Contains(strings.ToLower(p.Identifier), "mcp") {
			list = append(list, `must contain "mcp"; use --mcpb`)
		}
		if !isHash().MatchString(p.FileSHA256) {
			list = append(list, "needs the SHA-256 digest of the file; use --mcpb-file FILE")
		}
	case "oci":
		if p.Version != "" || p.RegistryBaseURL != "" || p.FileSHA256 != "" {
			list = append(list, "must contain the registry and the version, as in ghcr.io/USER/notes:1.2.0")
		}
		at := strings.LastIndexAny(p.Identifier, ":@")
		if at < 0 || strings.Contains(p.Identifier[at:], "/") || strings.HasSuffix(p.Identifier, ":latest") {
			list = append(list, "must end with a version, as in ghcr.io/USER/notes:1.2.0; use --image")
		}
	}
	if p.Identifier == "" {
		list = append(list, "has no identifier")
	}
	return list
}

func isWeb(address string) bool {
	u, err := url.Parse(address)
	return err == nil && u.Host != "" && (u.Scheme == "https" || u.Scheme == "http")
}

// isPublic reports whether an address is an https URL that does not name this machine.
func isPublic(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" || u.Host == "" {
		return false
	}
	host := u.Hostname()
	ip := net.ParseIP(host)
	return host != "localhost" && !strings.HasSuffix(host, ".localhost") && (ip == nil || !ip.IsLoopback())
}

// NameOf returns the name of a server whose source has a module path, in the namespace of the module's host, and the
// repository of the module, or nil if the path does not tell.
func NameOf(path, server string) (name string, r *Repository) {
	path, _, ok := module.SplitPathVersion(path)
	host, rest, _ := strings.Cut(path, "/")
	words := strings.Split(host, ".")
	if !ok || len(words) < 2 {
		return "", nil
	}
	owner, repository, _ := strings.Cut(rest, "/")
	if host == "github.com" && owner != "" {
		repository, _, _ = strings.Cut(repository, "/")
		return "io.github." + owner + "/" + server, &Repository{URL: "https://github.com/" + owner + "/" + repository, Source: "github"}
	}
	for i, j := 0, len(words)-1; i < j; i, j = i+1, j-1 {
		words[i], words[j] = words[j], words[i]
	}
	return strings.Join(words, ".") + "/" + server, nil
}
