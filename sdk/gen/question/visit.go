package question

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/netip"
	"net/url"
	"strings"
)

// host returns the host of the page to open, or "" for a URL without a host.
func (q Question) host() string {
	u, err := url.Parse(q.URL)
	if err != nil {
		return ""
	}
	return u.Host
}

// unsafe returns why a user should not open the page of a visit, or "" if the page is safe. The text does not
// contain the URL, because the URL alone may be enough to act for the user.
func (q Question) unsafe() string {
	if q.Kind != KindVisit {
		return ""
	}
	u, err := url.Parse(q.URL)
	switch {
	case q.URL == "":
		return "has no page to open: call At with its URL"
	case err != nil || u.Hostname() == "" || strings.ContainsFunc(q.URL, func(r rune) bool { return r <= ' ' || r > '~' }):
		return "has an invalid URL: pass an absolute ASCII URL to At"
	case u.User != nil:
		return "has a URL with a user name or a password, which can hide the host: remove them"
	case u.Scheme != "https" && (u.Scheme != "http" || !isLoopback(u.Hostname())):
		return "has a URL that is not encrypted: use https, or http on a loopback address"
	}
	return ""
}

func isLoopback(host string) bool {
	addr, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && addr.IsLoopback()
}

// VisitID identifies a visit for the client. It is the same in every run of a call.
func (q Question) VisitID() string {
	sum := sha256.Sum256([]byte(q.ID + "\x00" + q.URL))
	return hex.EncodeToString(sum[:16])
}

// Done reports that the user has finished the visit q.
func Done(ctx context.Context, q Question) {
	if s, ok := ctx.Value(sessionKey{}).(*Session); ok && s.run.Asker.Done != nil && q.URL != "" {
		s.run.Asker.Done(q)
	}
}
