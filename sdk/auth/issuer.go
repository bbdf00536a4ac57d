package auth

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/time/rate"

	"github.com/jptool/jptool/sdk"
)

// algorithms are the accepted signatures: with public keys only. A token cannot choose another one.
var algorithms = []string{
	oidc.RS256, oidc.RS384, oidc.RS512, oidc.PS256, oidc.PS384, oidc.PS512, oidc.ES256, oidc.ES384, oidc.ES512, oidc.EdDSA,
}

const (
	fetchTime   = 10 * time.Second // time limit of a request to the authorization server
	fetchBytes  = 1 << 20          // maximum size of its answer
	keysLife    = 10 * time.Minute // time for which keys are used that the authorization server may have withdrawn
	fetchPause  = 2 * time.Second  // mean time between requests for keys, which tokens with unknown keys cause
	fetchBursts = 10
)

// An Issuer is a [sdk.Verifier] for the JWTs of an authorization server. It gets the keys when it needs them, and again
// when a token has an unknown key and after ten minutes. A token must have a subject and an audience.
type Issuer struct {
	url    string
	client *http.Client

	mu       sync.Mutex
	verifier *oidc.IDTokenVerifier
	keysURL  string
	until    time.Time // the end of the use of verifier
}

// NewIssuer returns the verifier for the issuer with a URL, as it stands in the tokens and in the metadata of the
// authorization server. The URL must start with https:, except for loopback addresses.
func NewIssuer(issuer string) (*Issuer, error) {
	u, err := url.Parse(issuer)
	if err != nil || u.Host == "" || u.RawQuery != "" || u.Fragment != "" || u.Scheme != "https" && !(u.Scheme == "http" && isLoopback(u.Hostname())) {
		return nil, fmt.Errorf("the issuer %q must be a URL with https: and without a query", issuer)
	}
	limits := rate.NewLimiter(rate.Every(fetchPause), fetchBursts)
	return &Issuer{url: issuer, client: &http.Client{Transport: limited{limits}, Timeout: fetchTime, CheckRedirect: staysSecure}}, nil
}

// staysSecure refuses a redirect from https: to http:.
func staysSecure(r *http.Request, via []*http.Request) error {
	if len(via) > 3 || via[0].URL.Scheme == "https" && r.URL.Scheme != "https" {
		return errors.New("too many redirects, or a redirect without encryption")
	}
	return nil
}

// limited sends a limited number of requests, and reads answers of limited size.
type limited struct{ *rate.Limiter }

func (l limited) RoundTrip(r *http.Request) (*http.Response, error) {
	if !l.Allow() {
		return nil, errors.New("too many requests for keys")
	}
	answer, err := http.DefaultTransport.RoundTrip(r)
	if err == nil {
		answer.Body = http.MaxBytesReader(nil, answer.Body, fetchBytes)
	}
	return answer, err
}

func isURL(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != ""
}

func isLoopback(host string) bool {
	return host == "localhost" || host == "::1" || strings.HasPrefix(host, "127.")
}

// Verify returns the caller that a JWT identifies.
func (i *Issuer) Verify(ctx context.Context, token string) (*sdk.Identity, error) {
	if strings.Count(token, ".") != 2 { // without a request for keys
		return nil, fmt.Errorf("%w: it is not a JWT", sdk.ErrToken)
	}
	v, err := i.current(ctx)
	if err != nil {
		return nil, err
	}
	var unavailable error
	jwt, err := v.Verify(context.WithValue(ctx, unavailableKey{}, &unavailable), token)
	switch {
	case unavailable != nil:
		return nil, fmt.Errorf("getting the keys of %s: %w", i.url, unavailable)
	case err != nil:
		return nil, fmt.Errorf("%w: %w", sdk.ErrToken, err)
	case jwt.Subject == "" || len(jwt.Audience) == 0:
		return nil, fmt.Errorf("%w: it has no subject or no audience", sdk.ErrToken)
	}
	var claims json.RawMessage
	var granted struct {
		Scope text `json:"scope"`
		Scp   text `json:"scp"` // of some authorization servers
	}
	if err := errors.Join(jwt.Claims(&claims), jwt.Claims(&granted)); err != nil {
		return nil, fmt.Errorf("%w: its claims cannot be read: %w", sdk.ErrToken, err)
	}
	return &sdk.Identity{
		Subject: jwt.Subject, Issuer: i.url, Scopes: append(granted.Scope, granted.Scp...), Audience: jwt.Audience,
		Claims: claims, Expires: jwt.Expiry,
	}, nil
}

// text is a list of words: a string with spaces, or an array of strings.
type text []string

// UnmarshalJSON reads either form.
func (t *text) UnmarshalJSON(data []byte) error {
	var words string
	if json.Unmarshal(data, &words) == nil {
		*t = strings.Fields(words)
		return nil
	}
	var list []string
	err := json.Unmarshal(data, &list)
	*t = list
	return err
}

// current returns a verifier with recent keys.
func (i *Issuer) current(ctx context.Context) (*oidc.IDTokenVerifier, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if time.Now().Before(i.until) {
		return i.verifier, nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), fetchTime) // other callers wait for it
	defer cancel()
	keys, err := i.discover(ctx)
	if err != nil && i.keysURL == "" {
		return nil, err
	}
	if err == nil {
		i.keysURL = keys
	}
	set := keySet{oidc.NewRemoteKeySet(oidc.ClientContext(context.Background(), i.client), i.keysURL)}
	i.verifier = oidc.NewVerifier(i.url, set, &oidc.Config{SkipClientIDCheck: true, SupportedSigningAlgs: algorithms})
	i.until = time.Now().Add(keysLife)
	return i.verifier, nil
}

// discover returns the URL of the keys, from the metadata of OpenID Connect (Discovery 1.0, section 4) or of OAuth (RFC
// 8414, section 3).
func (i *Issuer) discover(ctx context.Context) (keys string, err error) {
	u, _ := url.Parse(i.url) // NewIssuer has checked it
	path := strings.TrimSuffix(u.Path, "/")
	var problems []error
	for _, at := range []string{path + "/.well-known/openid-configuration", "/.well-known/oauth-authorization-server" + path} {
		u.Path = at
		keys, err := i.fetch(ctx, u.String())
		if err == nil {
			return keys, nil
		}
		problems = append(problems, err)
	}
	return "", fmt.Errorf("reading the metadata of the authorization server %s: %w", i.url, errors.Join(problems...))
}

func (i *Issuer) fetch(ctx context.Context, from string) (keys string, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, from, nil)
	if err != nil {
		return "", err
	}
	answer, err := i.client.Do(r)
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	data, err := io.ReadAll(answer.Body)
	var metadata struct {
		Issuer string `json:"issuer"`
		Keys   string `json:"jwks_uri"`
	}
	switch {
	case err != nil:
		return "", err
	case answer.StatusCode != http.StatusOK:
		return "", fmt.Errorf("%s: %s", from, answer.Status)
	case json.Unmarshal(data, &metadata) != nil:
		return "", fmt.Errorf("%s: the answer is not a JSON object", from)
	case metadata.Issuer != i.url: // otherwise, one issuer could speak for another
		return "", fmt.Errorf("%s: the issuer is %q", from, metadata.Issuer)
	case !isURL(metadata.Keys):
		return "", fmt.Errorf("%s: it has no jwks_uri", from)
	}
	return metadata.Keys, nil
}

// A keySet reports to the caller whether keys could not be fetched, which oidc does not tell apart from a wrong signature.
type keySet struct{ *oidc.RemoteKeySet }

type unavailableKey struct{}

// VerifySignature implements [oidc.KeySet].
func (k keySet) VerifySignature(ctx context.Context, jwt string) ([]byte, error) {
	payload, err := k.RemoteKeySet.VerifySignature(ctx, jwt)
	if err != nil && strings.HasPrefix(err.Error(), "fetching keys") {
		*ctx.Value(unavailableKey{}).(*error) = err
	}
	return payload, err
}
