package access

import (
	"io/fs"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/jptool/jptool/sdk/fault"
)

// A NetRule allows or denies connections to one host.
type NetRule struct {
	// Host must match the whole host, without regard to case. It must be ASCII: write other names as "xn--…".
	Host string
	// Scheme is the scheme of the URL; "" matches any scheme.
	Scheme string
	// Port is the port of the URL; nil means the default port of its scheme.
	Port *uint16
	// PathPrefix is compared segment by segment; "" matches all paths.
	PathPrefix string
	Allow      bool
}

// AllowsURL reports whether a connection to u is allowed (JP RFD 076, Network rules). If several rules match,
// the most specific one wins: its scheme, its port and each of its path segments count as one. If several are
// equally specific, the last wins.
//
// If there are rules, AllowsURL denies URLs that cannot be matched reliably: URLs without a host, and
// URLs with a host that is not ASCII. If a rule for the host has a path, AllowsURL also denies paths
// that servers interpret in different ways, such as /a/../b, //b or /a%2fb. A rule that allows a
// non-ASCII host allows nothing; a rule that denies a non-ASCII host denies everything. AllowsURL checks
// neither the IP addresses of a host nor redirects: check every URL of a redirect chain.
func (p *Policy) AllowsURL(u *url.URL) bool {
	if p == nil || len(p.Net) == 0 {
		return true
	}
	i := p.netRule(u)
	return i >= 0 && p.Net[i].Allow
}

// CheckURL is like [Policy.AllowsURL], but returns a [fault.PermissionDenied] error that names scheme, host
// and path of the URL. The other parts may be secret.
func (p *Policy) CheckURL(u *url.URL) error {
	if p.AllowsURL(u) {
		return nil
	}
	bare := "missing URL"
	if u != nil {
		bare = (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String()
	}
	hosts := []string{}
	for _, rule := range p.Net {
		if rule.Allow && !slices.Contains(hosts, rule.Host) {
			hosts = append(hosts, rule.Host)
		}
	}
	e := fault.Wrap(fs.ErrPermission, fault.PermissionDenied, "access denied: %s is not granted", quote(bare))
	e.Details = map[string]any{"reason": denied, "url": show(bare), "hosts": hosts}
	return e
}

// netRule returns the index of the rule that applies to u, or -1 if u must be denied.
func (p *Policy) netRule(u *url.URL) int {
	if u == nil || u.Opaque != "" {
		return -1
	}
	host, ok := hostOf(u.Hostname())
	port, portOK := portOf(u)
	if !ok || !portOK {
		return -1
	}
	path, plain := pathOf(u)
	best, longest := -1, -1
	for i, rule := range p.Net {
		own, ok := hostOf(strings.Trim(rule.Host, "[]"))
		if !ok && !rule.Allow {
			return -1 // the rule may mean this host, so deny
		}
		if !ok || own != host || rule.Scheme != "" && !strings.EqualFold(rule.Scheme, u.Scheme) {
			continue
		}
		want, score := defaultPorts[strings.ToLower(u.Scheme)], 0
		if rule.Port != nil {
			want, score = int(*rule.Port), 1
		}
		if port != want {
			continue
		}
		if rule.Scheme != "" {
			score++
		}
		prefix := slices.DeleteFunc(strings.Split(rule.PathPrefix, "/"), func(s string) bool { return s == "" })
		for i, segment := range prefix {
			if decoded, err := url.PathUnescape(segment); err == nil {
				prefix[i] = decoded
			}
		}
		if len(prefix) > 0 && !plain {
			return -1
		}
		if score += len(prefix); hasPrefix(path, prefix, false) && score >= longest {
			best, longest = i, score
		}
	}
	return best
}

// defaultPorts are the default ports of schemes. Other schemes have port 0, which is not valid in a URL.
var defaultPorts = map[string]int{"http": 80, "https": 443, "ws": 80, "wss": 443, "ftp": 21}

func portOf(u *url.URL) (int, bool) {
	if u.Port() == "" {
		return defaultPorts[strings.ToLower(u.Scheme)], true
	}
	n, err := strconv.ParseUint(u.Port(), 10, 16)
	return int(n), err == nil && n > 0
}

// hostOf returns a host in canonical form for comparison, or false if it is not valid in rules.
func hostOf(host string) (string, bool) {
	if addr, err := netip.ParseAddr(host); err == nil {
		return addr.String(), addr.Zone() == ""
	}
	odd := strings.ContainsFunc(host, func(r rune) bool { return r <= ' ' || r >= 0x7f })
	return strings.ToLower(host), host != "" && !odd
}

// pathOf returns the decoded segments of a URL's path, and whether every server interprets the path
// as those segments.
func pathOf(u *url.URL) ([]string, bool) {
	escaped := strings.ToLower(u.EscapedPath())
	// Some servers remove parameters after ";", decode the path twice, or end it at NUL.
	odd := func(r rune) bool { return r < ' ' || r == '\\' || r == ';' || r == '%' }
	if strings.Contains(escaped, "%2f") || strings.ContainsFunc(u.Path, odd) {
		return nil, false
	}
	parts := strings.Split(strings.TrimPrefix(u.Path, "/"), "/")
	return parts, !slices.Contains(parts, ".") && !slices.Contains(parts, "..") && !slices.Contains(parts[:len(parts)-1], "")
}
