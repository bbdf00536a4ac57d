package login

import (
	"cmp"
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
	"golang.org/x/oauth2"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/files"
	"github.com/jptool/jptool/internal/lazyregexp"
)

// probe is a request without a token. A server that requires a login rejects it.
const probe = `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"jptoolgen","version":"0"},"io.modelcontextprotocol/clientCapabilities":{}}}}`

// A Request describes a login.
type Request struct {
	// URL is the URL of the server, and Header is sent with the first request to it.
	URL    string
	Header http.Header
	// ClientID and ClientSecret identify a client that the authorization server knows. An ID that is an https URL is the
	// URL of the client's metadata. Without an ID, the client registers itself.
	ClientID, ClientSecret string
	// Scopes are requested in addition to the scopes that the server names and the scopes of the last login.
	Scopes []string
	// Port is the port on this machine that the authorization server redirects to. 0 means any port.
	Port int
	// Visit asks the user to open a page of the authorization server. It must return when its context is done.
	Visit func(ctx context.Context, page *url.URL)
}

// LogIn logs in to a server and saves the token.
func (s *Store) LogIn(ctx context.Context, r Request) error {
	if u, err := url.Parse(r.URL); err != nil || !secure(u) {
		return errors.New("a login requires https, so that other computers cannot read the token; use an https URL")
	}
	root, err := s.open(r.URL) // a login that cannot be saved fails before the user logs in
	if err != nil {
		return err
	}
	_ = root.Close() // nothing was written
	listener, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(r.Port)))
	if err != nil {
		return fmt.Errorf("listening for the redirect from the authorization server: %w", err)
	}
	defer listener.Close()
	client, settle := newClient()
	req, resp, err := r.requestWithoutToken(ctx, client)
	if err != nil {
		return err
	}
	settle()
	spellResource(ctx, req, resp, client)
	issuer, err := findIssuer(ctx, req, resp, client)
	if err != nil {
		return fmt.Errorf("cannot use the server's OAuth metadata: %w", plain(err))
	}
	l := &login{Format: format, URL: r.URL}
	if last, err := s.read(r.URL); err == nil {
		r.Scopes = slices.Concat(r.Scopes, last.Config.Scopes)
	}
	config := r.config(listener)
	config.Client = client
	fetch := config.AuthorizationCodeFetcher
	config.AuthorizationCodeFetcher = func(ctx context.Context, args *auth.AuthorizationArgs) (*auth.AuthorizationResult, error) {
		if page, err := url.Parse(args.URL); err == nil {
			l.Resource = page.Query().Get("resource")
		}
		return fetch(ctx, args)
	}
	config.NewTokenSource = func(_ context.Context, c *oauth2.Config, t *oauth2.Token) (oauth2.TokenSource, error) {
		l.Config, l.Token = c, t
		return oauth2.StaticTokenSource(t), nil
	}
	handler, err := auth.NewAuthorizationCodeHandler(config)
	if err != nil {
		return err
	}
	if err := handler.Authorize(ctx, req, resp); err != nil {
		if ctx.Err() != nil {
			return fmt.Errorf("the login was not completed: %w", context.Cause(ctx))
		}
		return plain(err)
	}
	l.Revocation = revocation(ctx, issuer, config.Client, l.Config.Endpoint.TokenURL)
	unlock, err := files.Lock(ctx, s.path(r.URL)) // another process may be replacing the token of the last login
	if err != nil {
		return fmt.Errorf("saving the login: %w", err)
	}
	defer unlock()
	return s.save(l)
}

func (r Request) config(listener net.Listener) *auth.AuthorizationCodeHandlerConfig {
	redirect := "http://" + listener.Addr().String() + "/callback"
	c := &auth.AuthorizationCodeHandlerConfig{
		RedirectURL: redirect, RequestRefreshToken: true, AcceptUnadvertisedIss: true,
		ScopeFilter: func(named []string) []string { return slices.Concat(named, r.Scopes) },
		AuthorizationCodeFetcher: func(ctx context.Context, args *auth.AuthorizationArgs) (*auth.AuthorizationResult, error) {
			return r.fetch(ctx, listener, args.URL)
		},
	}
	if strings.HasPrefix(r.ClientID, "https://") {
		c.ClientIDMetadataDocumentConfig = &auth.ClientIDMetadataDocumentConfig{URL: r.ClientID}
		return c
	}
	if r.ClientID == "" {
		c.DynamicClientRegistrationConfig = &auth.DynamicClientRegistrationConfig{Metadata: &oauthex.ClientRegistrationMetadata{
			ClientName: "jptoolgen", RedirectURIs: []string{redirect}, TokenEndpointAuthMethod: "none",
			GrantTypes: []string{"authorization_code", "refresh_token"}, ResponseTypes: []string{"code"},
		}}
		return c
	}
	c.PreregisteredClient = &oauthex.ClientCredentials{ClientID: r.ClientID}
	if r.ClientSecret != "" {
		c.PreregisteredClient.ClientSecretAuth = &oauthex.ClientSecretAuth{ClientSecret: r.ClientSecret}
	}
	return c
}

// requestWithoutToken sends a request without a token, and returns the server's rejection without its body.
func (r Request) requestWithoutToken(ctx context.Context, client *http.Client) (*http.Request, *http.Response, error) {
	status := ""
	for _, method := range []string{http.MethodPost, http.MethodGet} { // servers that use version 2024-11-05 reject POST
		req, err := http.NewRequestWithContext(ctx, method, r.URL, strings.NewReader(probe))
		if err != nil {
			return nil, nil, err
		}
		if r.Header != nil {
			req.Header = r.Header.Clone()
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "application/json, text/event-stream")
		req.Header.Set("Mcp-Protocol-Version", "2026-07-28")
		req.Header.Set("Mcp-Method", "server/discover")
		resp, err := client.Do(req)
		if err != nil {
			return nil, nil, fmt.Errorf("the server cannot be reached: %w", plain(err))
		}
		_ = resp.Body.Close() // only the status and the headers matter, and the body may be endless
		if resp.StatusCode == http.StatusUnauthorized {
			resp.Body = http.NoBody
			return req, resp, nil
		}
		status = cmp.Or(status, resp.Status)
	}
	return nil, nil, fmt.Errorf("the server does not require a login: it responded with status %s", status)
}

// spellResource sets the URL of a request to the server's own spelling of it, if the server's metadata has a slash at
// the end of the URL and the request does not, or vice versa. go-sdk compares the URLs exactly.
func spellResource(ctx context.Context, req *http.Request, resp *http.Response, client *http.Client) {
	challenges, err := oauthex.ParseWWWAuthenticate(resp.Header.Values("WWW-Authenticate"))
	if err != nil {
		return
	}
	site := *req.URL
	site.Path, site.RawPath, site.RawQuery = "", "", ""
	at := site.String() + "/.well-known/oauth-protected-resource"
	named := []string{at + strings.TrimRight(req.URL.EscapedPath(), "/"), at}
	for _, c := range challenges {
		if c.Params["resource_metadata"] != "" {
			named = []string{c.Params["resource_metadata"]}
		}
	}
	for _, metadata := range named {
		for _, u := range []url.URL{*req.URL, site} {
			other := u.String() + "/"
			if trimmed, ok := strings.CutSuffix(u.String(), "/"); ok {
				other = trimmed
			}
			found, err := oauthex.GetProtectedResourceMetadata(ctx, metadata, other, client)
			if err != nil || found == nil {
				continue
			}
			if spelled, err := url.Parse(other); err == nil {
				req.URL = spelled
				resp.Header.Add("WWW-Authenticate", `Bearer resource_metadata="`+metadata+`"`)
			}
			return
		}
	}
}

// findIssuer returns the authorization server that a server names, or the server itself if it does not name one. It
// returns an error if the server names metadata that is invalid or cannot be read. In that case, go-sdk would
// treat the server as its own authorization server, as it does with a server that uses version 2025-03-26 without metadata.
func findIssuer(ctx context.Context, req *http.Request, resp *http.Response, client *http.Client) (issuer string, err error) {
	site := req.URL.Scheme + "://" + req.URL.Host
	challenges, err := oauthex.ParseWWWAuthenticate(resp.Header.Values("WWW-Authenticate"))
	for _, c := range challenges {
		at := c.Params["resource_metadata"]
		if at == "" {
			continue
		}
		var named *oauthex.ProtectedResourceMetadata
		if named, err = oauthex.GetProtectedResourceMetadata(ctx, at, req.URL.String(), client); err != nil {
			// The metadata of the whole site is also valid.
			var failed error
			if named, failed = oauthex.GetProtectedResourceMetadata(ctx, site+"/.well-known/oauth-protected-resource", site, client); failed != nil {
				return "", err
			}
		}
		return slices.Concat(named.AuthorizationServers, []string{site})[0], nil
	}
	return site, err
}

// fetch asks the user to log in, and waits until the authorization server redirects the browser to this
// machine. It rejects requests without the state of this login and continues to wait.
func (r Request) fetch(ctx context.Context, listener net.Listener, address string) (*auth.AuthorizationResult, error) {
	page, err := url.Parse(address)
	// A user name, or a host name in another alphabet, can look like the name of another site.
	if err != nil || !secure(page) || page.Host == "" || page.User != nil || strings.ContainsFunc(page.Host, func(r rune) bool { return r > unicode.MaxASCII }) {
		return nil, errors.New("the URL of the login page must use https, with an ASCII host and no user name")
	}
	results := make(chan url.Values, 1)
	server := &http.Server{ReadHeaderTimeout: 10 * time.Second, MaxHeaderBytes: 64 << 10, Handler: callback(listener.Addr().String(), page.Query().Get("state"), results)}
	go func() { _ = server.Serve(listener) }() // Serve returns after Shutdown
	defer func() {
		short, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		_ = server.Shutdown(short) // the browser might not have read the response yet
	}()
	visiting, stop := context.WithCancel(ctx)
	var visit sync.WaitGroup
	visit.Go(func() { r.Visit(visiting, page) })
	defer func() {
		stop()
		visit.Wait()
	}()
	select {
	case q := <-results:
		if code := q.Get("error"); code != "" {
			return nil, fmt.Errorf("the authorization server rejected the login: %.60q", code)
		}
		return &auth.AuthorizationResult{Code: q.Get("code"), State: q.Get("state"), Iss: q.Get("iss")}, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// callback handles the browser's redirect. It accepts the first redirect with the right state.
func callback(host, state string, results chan<- url.Values) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.Header().Set("Referrer-Policy", "no-referrer") // the URL contains the code
		q := req.URL.Query()
		ours := req.Host == host || req.Host+":80" == host // browsers omit port 80
		if req.Method != http.MethodGet || req.URL.Path != "/callback" || !ours || subtle.ConstantTimeCompare([]byte(q.Get("state")), []byte(state)) != 1 {
			http.Error(w, "This is not the redirect that jptoolgen is waiting for.", http.StatusBadRequest)
			return
		}
		select {
		case results <- q:
			_, _ = fmt.Fprintln(w, "The authorization server has responded. Return to the terminal; you can close this page.")
		default:
			http.Error(w, "This login has already ended. To log in again, run jptoolgen login.", http.StatusBadRequest)
		}
	})
}

// goFunction matches the name of a Go function with its argument, which go-sdk adds to errors.
var goFunction = lazyregexp.New(`\b[A-Z]\w+\("[^"]*"\): `)

// code matches an error code of OAuth (RFC 6749, section 5.2).
var code = lazyregexp.New(`^[a-z_]{1,60}$`)

// plain removes the text that an authorization server sent from an error, because it may contain a secret. It keeps
// the error code.
func plain(err error) error {
	kind := ""
	registration, registering := errors.AsType[*oauthex.ClientRegistrationError](err)
	exchange, exchanging := errors.AsType[*oauth2.RetrieveError](err)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return err
	case registering:
		kind = registration.ErrorCode
	case exchanging:
		if kind = exchange.ErrorCode; !code().MatchString(kind) {
			kind = "unknown error"
		}
		return fmt.Errorf("the authorization server refused to issue a token: %s", kind)
	case strings.HasPrefix(err.Error(), "no configured client registration"):
		return errors.New("the authorization server does not let jptoolgen register itself; register a client there, and add --client-id ID")
	case !strings.HasPrefix(err.Error(), "failed to register client"):
		if failed, ok := errors.AsType[*url.Error](err); ok {
			err = failed.Err
		}
		return fmt.Errorf("%.400s", goFunction().ReplaceAllString(err.Error(), ""))
	}
	if !code().MatchString(kind) {
		kind = "unknown error"
	}
	return fmt.Errorf("the authorization server refused to register jptoolgen (%s); register a client there, and add --client-id ID", kind)
}
