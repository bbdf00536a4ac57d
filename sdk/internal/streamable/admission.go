package streamable

import (
	"crypto/sha256"
	"crypto/subtle"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jptool/jptool/internal/phrase"
	"github.com/jptool/jptool/sdk/internal/rpc"
)

// isAuthorized reports whether a request has the token, which is compared in constant time.
func (h *Handler) isAuthorized(r *http.Request) bool {
	if h.Token == "" {
		return true
	}
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	digest := sha256.Sum256([]byte(strings.TrimSpace(token)))
	return strings.EqualFold(scheme, "Bearer") && subtle.ConstantTimeCompare(digest[:], h.token[:]) == 1
}

// A Denial is the reason to refuse a request.
type Denial struct {
	Status int
	Reason string
	// Challenge is the value of the WWW-Authenticate header, or "".
	Challenge string
	// Wait is the time after which the caller may try again; 0 sends no Retry-After header.
	Wait time.Duration
}

func (d *Denial) answer(w http.ResponseWriter) {
	if d.Challenge != "" {
		w.Header().Set("Www-Authenticate", d.Challenge)
	}
	if d.Wait > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int((d.Wait+time.Second-1)/time.Second)))
	}
	refuse(w, d.Status, rpc.BadRequest(d.Reason))
}

// reasonToReject returns the reason to reject a request that may come from a page on another site, or "".
// Browsers send the requested host and the page's origin (MCP, Streamable HTTP, Security Warning).
func (h *Handler) reasonToReject(r *http.Request) string {
	if !h.ownHost(r) {
		return "the host name " + quoteClient(r.Host) + " is not allowed; the server's operator can allow it with --http-host"
	}
	origin := r.Header.Get("Origin")
	if origin == "" {
		if site := r.Header.Get("Sec-Fetch-Site"); site != "" && site != "same-origin" && site != "none" {
			return "pages from other sites are not allowed to call the server"
		}
		return ""
	}
	if slices.Contains(h.Origins, origin) {
		return ""
	}
	if u, err := url.Parse(origin); err == nil && u.Host != "" && strings.EqualFold(u.Host, r.Host) {
		return ""
	}
	return "pages from " + quoteClient(origin) + " are not allowed to call the server; the server's operator can allow the origin with --http-origin"
}

// ownHost reports whether the Host header is one of the server's names.
func (h *Handler) ownHost(r *http.Request) bool {
	local, _ := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	if len(h.Hosts) == 0 && (local == nil || !local.IP.IsLoopback()) {
		return true
	}
	host := r.Host
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.Trim(host, "[]")
	return IsLoopback(host) || slices.ContainsFunc(h.Hosts, func(name string) bool { return strings.EqualFold(name, host) })
}

// IsLoopback reports whether a host is localhost or a loopback address.
func IsLoopback(host string) bool {
	return strings.EqualFold(host, "localhost") || net.ParseIP(host).IsLoopback()
}

// quoteClient returns client text for an error message, shortened and quoted.
func quoteClient(text string) string { return phrase.Quoted(text, 60) }
