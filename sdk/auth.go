package sdk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/sdk/internal/streamable"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

// Auth says how HTTP callers are authenticated. Package sdk/auth has verifiers.
type Auth struct {
	// Verifier checks bearer tokens.
	Verifier Verifier
	// Resource is the URL of the server as callers see it, such as "https://tools.example.com/mcp". If it is "", the
	// URL of each request is part of the metadata. An [Identity.Audience] must contain Resource or Audience.
	Resource string
	// Audience is another name of the server in tokens, or "".
	Audience string
	// Servers are the URLs of the authorization servers from which callers get tokens. If there are none, callers
	// cannot get other tokens than they have, and do not see what they lack the scopes for.
	Servers []string
}

// A Verifier checks bearer tokens. It must be safe for concurrent use.
type Verifier interface {
	// Verify returns whom a token identifies. The error wraps [ErrToken] if the token is not valid. Any other error
	// means that the token could not be checked. Callers do not receive its text.
	Verify(ctx context.Context, token string) (*Identity, error)
}

// ErrToken is the error for a token that is not valid.
var ErrToken = errors.New("invalid token")

// An Identity is whom a token identifies, and what the token permits.
type Identity struct {
	// Subject is the name of the caller, which must not be "". Issuer is the URL of the authorization server, or "".
	Subject, Issuer string
	// Scopes are the OAuth scopes of the token.
	Scopes []string
	// Audience are the servers for which the token was issued. Nil means that the verifier has checked this.
	Audience []string
	// Claims is a JSON object for [tool.Caller], or nil.
	Claims json.RawMessage
	// Expires is the end of the token's validity; the zero time means that the verifier has checked this.
	Expires time.Time
}

// Authenticate makes the server authenticate HTTP callers. Configure is called when the flags have been parsed. It
// returns nil if the flags do not configure authentication. Only [Server.Run] calls it.
func (s *Server) Authenticate(configure func() (*Auth, error)) { s.auth = configure }

// A Quota limits the calls of each caller to each tool, resource and prompt over all protocols and transports, but not
// those of [Server.Call]. A call beyond it fails with the code unavailable, and the detail retry_after_ms.
type Quota = handler.Quota

// Limit makes the server limit the calls of each caller. Configure is called when the flags have been parsed. It returns
// nil if the flags do not configure a quota. Only [Server.Run] calls it.
func (s *Server) Limit(configure func() Quota) { s.quota = configure }

func (a *Auth) check() error {
	switch {
	case a == nil:
		return nil
	case a.Verifier == nil:
		return errors.New("sdk.Auth.Verifier is nil")
	case len(a.Servers) > 0 && a.Resource == "" && a.Audience == "":
		return errors.New("sdk.Auth needs a Resource or an Audience: a token for another server must not be valid for this one")
	}
	for _, text := range append([]string{a.Resource}, a.Servers...) {
		if u, err := url.Parse(text); text != "" && (err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.Fragment != "") {
			return fmt.Errorf("%q must be a URL with https: or http: and without a fragment", text)
		}
	}
	return nil
}

// An admission decides who calls over HTTP, and what the caller selects.
type admission struct {
	HTTPOptions
	server *Server
}

// base returns the path of the server without a slash at the end.
func (a *admission) base() string { return strings.TrimSuffix(a.Path, "/") }

// caller returns the caller of a request. principal is that of the token that all callers share, or "".
func (a *admission) caller(r *http.Request, principal string) (c handler.Caller, denied *streamable.Denial) {
	var path Face
	if a.Path != "" {
		below, ok := strings.CutPrefix(r.URL.Path, a.base())
		if ok {
			path, ok = facePath(below)
		}
		if !ok {
			return c, &streamable.Denial{Status: http.StatusNotFound, Reason: "unknown path; use " + a.Path}
		}
	}
	c.Subject = principal
	if a.Principal != nil {
		c.Subject = a.Principal(r)
	}
	if a.Auth != nil {
		if denied = a.authenticate(r, &c); denied != nil {
			return c, denied
		}
	}
	for _, name := range a.Headers {
		if values := r.Header.Values(name); len(values) > 0 {
			if c.Headers == nil {
				c.Headers = map[string][]string{}
			}
			c.Headers[http.CanonicalHeaderKey(name)] = values
		}
	}
	var err error
	if c.Face, err = a.server.requested(r.Header, path); err != nil {
		return c, &streamable.Denial{Status: http.StatusBadRequest, Reason: err.Error()}
	}
	return c, nil
}

// guard refuses a request for a path beside that of MCP whose caller is not authenticated. The token that all callers
// share has been checked. No server that serves such paths has a Principal.
func (a *admission) guard(r *http.Request) *streamable.Denial {
	if a.Auth == nil {
		return nil
	}
	return a.authenticate(r, new(handler.Caller))
}

// authenticate sets who the caller is, according to its bearer token.
func (a *admission) authenticate(r *http.Request, c *handler.Caller) *streamable.Denial {
	values := r.Header["Authorization"]
	if len(values) == 0 {
		return &streamable.Denial{
			Status: http.StatusUnauthorized, Reason: "the request has no bearer token", Challenge: a.challenge(r, "", "", nil),
		}
	}
	invalid := &streamable.Denial{
		Status: http.StatusUnauthorized, Reason: "the bearer token is not valid",
		Challenge: a.challenge(r, "invalid_token", "The token is not valid for this server.", nil),
	}
	scheme, token, _ := strings.Cut(values[0], " ")
	if token = strings.TrimSpace(token); !strings.EqualFold(scheme, "Bearer") || token == "" || len(token) > maxToken {
		return invalid
	}
	who, err := a.Auth.Verifier.Verify(r.Context(), token)
	switch log := a.server.log.Load(); {
	case errors.Is(err, ErrToken):
		log.Info("token refused", "error", err)
		return invalid
	case err != nil:
		log.Error("a token could not be checked", "error", err)
		return &streamable.Denial{
			Status: http.StatusServiceUnavailable, Reason: "the token cannot be checked at the moment", Wait: 5 * time.Second,
		}
	case who == nil || who.Subject == "" || strings.ContainsAny(who.Issuer, " \t"):
		log.Error("the verifier returned an identity without a subject, or an invalid issuer")
		return invalid
	case !who.Expires.IsZero() && !time.Now().Before(who.Expires):
		log.Info("token refused", "error", "it has expired")
		return invalid
	case who.Audience != nil && !a.isFor(r, who.Audience):
		log.Info("token refused", "error", "it was issued for another server", "audience", who.Audience)
		return invalid
	}
	c.Subject, c.Issuer, c.Claims = who.Subject, who.Issuer, who.Claims
	if c.Issuer != "" {
		c.Subject = c.Issuer + " " + c.Subject
	}
	c.Scopes = manifest.WithImplied(a.server.contract.Scopes, who.Scopes)
	if c.Lacking = handler.Refuses; len(a.Auth.Servers) == 0 {
		c.Lacking = handler.Hides
	}
	return nil
}

// maxToken is the maximum length of a bearer token in bytes.
const maxToken = 16 << 10

// isFor reports whether a token was issued for the server, or for the URL of the request, which may be that of a face. A
// token for a face is not valid for other URLs.
func (a *admission) isFor(r *http.Request, audience []string) bool {
	own := []string{strings.TrimSuffix(a.Auth.Audience, "/")}
	if a.Auth.Resource != "" { // without it, the caller's Host header would decide
		own = append(own, a.resource(r, ""), a.resource(r, r.URL.Path))
	}
	return slices.ContainsFunc(audience, func(name string) bool {
		name = strings.TrimSuffix(name, "/")
		return name != "" && slices.Contains(own, name)
	})
}

// resource returns the URL, as callers see it, of a path of the server. "" is the path of the whole server, and so is
// a path that is not one of its faces.
func (a *admission) resource(r *http.Request, path string) string {
	below, ok := strings.CutPrefix(path, a.base())
	if _, isFace := facePath(below); a.Path != "" && (!ok || !isFace) {
		below = ""
	}
	below = strings.TrimSuffix(below, "/")
	switch {
	case a.Auth.Resource != "" && a.Path == "":
		return strings.TrimSuffix(a.Auth.Resource, "/")
	case a.Auth.Resource != "":
		return strings.TrimSuffix(a.Auth.Resource, "/") + below
	}
	scheme := "http://"
	if r.TLS != nil {
		scheme = "https://"
	}
	return scheme + r.Host + a.base() + below
}

// wellKnown is the start of the path of the metadata of a resource (RFC 9728, section 3.1).
const wellKnown = "/.well-known/oauth-protected-resource"

// challenge returns a WWW-Authenticate header (RFC 6750, section 3; RFC 9728, section 5.1).
func (a *admission) challenge(r *http.Request, code, description string, scopes []string) string {
	var params []string
	add := func(name, value string) {
		if value != "" {
			params = append(params, name+`="`+quotable.Replace(value)+`"`)
		}
	}
	add("error", code)
	add("error_description", description)
	add("scope", strings.Join(scopes, " "))
	if u, err := url.Parse(a.resource(r, r.URL.Path)); err == nil && len(a.Auth.Servers) > 0 {
		u.Path = wellKnown + u.Path
		add("resource_metadata", u.String())
	}
	return strings.TrimSpace("Bearer " + strings.Join(params, ", "))
}

// quotable removes what a quoted string in a header cannot contain.
var quotable = strings.NewReplacer(`"`, "", `\`, "", "\r", "", "\n", "")

// metadata answers a request for the metadata of the server or of one of its faces (RFC 9728, section 3.2).
func (a *admission) metadata(w http.ResponseWriter, r *http.Request) bool {
	path, ok := strings.CutPrefix(r.URL.Path, wellKnown)
	if !ok || a.Auth == nil || len(a.Auth.Servers) == 0 {
		return false
	}
	bases := []string{a.base()}
	if u, err := url.Parse(a.Auth.Resource); err == nil && u.Path != "" {
		bases = append(bases, strings.TrimSuffix(u.Path, "/"))
	}
	below := ""
	known := slices.ContainsFunc(bases, func(base string) bool {
		rest, ok := strings.CutPrefix(path, base)
		_, isFace := facePath(rest)
		below = rest
		return ok && isFace
	})
	if a.Path == "" && a.Auth.Resource == "" {
		known, below = true, path
	}
	switch {
	case !known:
		return false
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		w.Header().Set("Allow", "GET, HEAD")
		w.WriteHeader(http.StatusMethodNotAllowed)
		return true
	}
	text, _ := json.Marshal(struct { // strings can always be encoded
		Resource string   `json:"resource"`
		Name     string   `json:"resource_name,omitempty"`
		Servers  []string `json:"authorization_servers"`
		Scopes   []string `json:"scopes_supported,omitempty"`
		Methods  []string `json:"bearer_methods_supported"`
	}{a.resource(r, a.base()+below), a.server.Name(), a.Auth.Servers, a.scopes(), []string{"header"}})
	h := w.Header()
	h.Set("Content-Type", "application/json")
	if h.Get("Access-Control-Allow-Origin") == "" {
		h.Set("Access-Control-Allow-Origin", "*") // the metadata is public
	}
	_, _ = w.Write(text) // the client may have disconnected
	return true
}

// scopes returns the sorted scopes that something in the contract needs.
func (a *admission) scopes() (all []string) {
	for _, t := range a.server.contract.Calls() {
		all = append(all, t.Scopes...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}
