package question

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/netip"
	"net/url"
	"strings"
)

// KindVisit asks the user to open a page. The answer is true if the user agrees.
const KindVisit Kind = "visit"

type visit struct{ confirm }

func (visit) traits() Traits {
	return Traits{
		Answer: "true if the user has opened the page", Prompt: YesNo, Needs: NeedsPage,
		NoDefault: "opens a page, so it cannot have a default", Hint: "delete the tag",
	}
}

func (visit) fits(_ Spec, content []byte) bool { return string(content) == "true" }

func (visit) accepts(Spec) string { return "true, if the user has opened the page" }

// lacks returns the reason why a user should not open the page. The reason does not contain the URL, because the URL
// may let its holder act on behalf of the user.
func (visit) lacks(q Question) string {
	u, err := url.Parse(q.URL)
	switch {
	case q.URL == "":
		return "has no URL: call At with its URL"
	case err != nil || u.Hostname() == "" || strings.ContainsFunc(q.URL, func(r rune) bool { return r <= ' ' || r > '~' }):
		return "has an invalid URL: pass an absolute ASCII URL to At"
	case u.User != nil:
		return "has a URL with a user name or password, which can disguise the host: remove it"
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
