// Package login logs in to MCP servers over HTTP with OAuth, and stores the tokens (MCP 2025-11-25,
// Authorization).
//
// A token is sent only to the URL that the user logged in to. It is stored in a file that only the user can
// read, and no error contains it.
package login

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/oauth2"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/files"
	"github.com/jptool/jptool/internal/lazyregexp"
)

const (
	format  = 1
	maxFile = 1 << 20
	// early is how long before its expiry a token is replaced.
	early = 30 * time.Second
)

// A login is the content of a login file.
type login struct {
	Format int            `json:"format"`
	URL    string         `json:"url"`
	Config *oauth2.Config `json:"client"`
	Token  *oauth2.Token  `json:"token"`
	// Resource is the server that the tokens are for, as the authorization server knows it (RFC 8707). "" means that it is not
	// known.
	Resource string `json:"resource,omitempty"`
	// Revocation is the URL at which the authorization server revokes tokens. "" means that it is not known.
	Revocation string `json:"revocation,omitempty"`
}

func (l *login) validFor(d time.Duration) bool {
	return l.Token.AccessToken != "" && (l.Token.Expiry.IsZero() || time.Until(l.Token.Expiry) > d)
}

// A Store holds the logins of the user.
type Store struct {
	dir string // "" if the user has no configuration directory

	mu      sync.Mutex
	secrets []string
}

// Open returns the store in a configuration directory, which may be "".
func Open(config string) *Store {
	if config == "" {
		return &Store{}
	}
	return &Store{dir: filepath.Join(config, "jptool", "logins")}
}

// Secrets returns the tokens that were used so far. They must not be printed.
func (s *Store) Secrets() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.secrets)
}

func (s *Store) hide(l *login) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, secret := range []string{l.Token.AccessToken, l.Token.RefreshToken, l.Config.ClientSecret} {
		if secret != "" && !slices.Contains(s.secrets, secret) {
			s.secrets = append(s.secrets, secret)
		}
	}
}

// Find returns a function that returns the token for a URL, or nil if there is no login. The
// function is safe for concurrent use.
func (s *Store) Find(address string) (func(context.Context) (string, error), error) {
	l, err := s.read(address)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var mu sync.Mutex
	margin := early
	return func(ctx context.Context) (string, error) {
		mu.Lock()
		defer mu.Unlock()
		if l.validFor(margin) {
			return l.Token.AccessToken, nil
		}
		renewed, err := s.refresh(ctx, address)
		if err != nil {
			return "", err
		}
		l = renewed
		if left := time.Until(l.Token.Expiry); left > 0 {
			margin = min(early, left/2)
		} else {
			l.Token.Expiry = time.Time{} // the new token has already expired, as the next one would; the server may accept it anyway
		}
		return l.Token.AccessToken, nil
	}, nil
}

// refresh replaces the token of a login, unless another process has already done so, because many
// servers accept a refresh token only once.
func (s *Store) refresh(ctx context.Context, address string) (*login, error) {
	unlock, err := files.Lock(ctx, s.path(address))
	if err != nil {
		return nil, err
	}
	defer unlock()
	l, err := s.read(address)
	if err != nil || l.validFor(early) {
		return l, err
	}
	if l.Token.RefreshToken == "" {
		return nil, expiredError(address)
	}
	l.Token, err = l.exchange(ctx)
	if e, refused := errors.AsType[*oauth2.RetrieveError](err); refused && slices.Contains([]int{400, 401, 403, 404}, e.Response.StatusCode) { // other errors, such as 429, may be temporary
		return nil, expiredError(address)
	}
	if err != nil {
		return nil, fmt.Errorf("refreshing the login: %w", plain(err))
	}
	return l, s.save(l)
}

// exchange sends the refresh token. Unlike a token source of package oauth2, it names the resource, so that the new
// token is not valid for other servers (MCP 2025-11-25, Resource Parameter Implementation).
func (l *login) exchange(ctx context.Context) (*oauth2.Token, error) {
	client, _ := newClient()
	config := *l.Config
	config.RedirectURL = ""
	params := []oauth2.AuthCodeOption{oauth2.SetAuthURLParam("grant_type", "refresh_token"), oauth2.SetAuthURLParam("refresh_token", l.Token.RefreshToken)}
	if l.Resource != "" {
		params = append(params, oauth2.SetAuthURLParam("resource", l.Resource))
	}
	// An empty code is equivalent to a missing one (RFC 6749, section 3.2).
	return config.Exchange(context.WithValue(ctx, oauth2.HTTPClient, client), "", params...)
}

func expiredError(address string) error {
	host := ""
	if u, err := url.Parse(address); err == nil {
		host = u.Host
	}
	return fmt.Errorf("the login at %s has expired; run jptoolgen login to log in again", host)
}

// name returns the file name of a login.
func name(address string) string {
	sum := sha256.Sum256([]byte(address))
	return hex.EncodeToString(sum[:16]) + ".json"
}

func (s *Store) path(address string) string { return filepath.Join(s.dir, name(address)) }

func (s *Store) read(address string) (*login, error) {
	if s.dir == "" {
		return nil, fs.ErrNotExist
	}
	root, err := os.OpenRoot(s.dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	data, err := files.ReadIn(root, name(address), maxFile)
	if err != nil {
		return nil, err
	}
	l := new(login)
	if json.Unmarshal(data, l) != nil || l.Format != format || l.URL != address || l.Config == nil || l.Token == nil {
		return nil, fmt.Errorf("%s does not contain a login; run jptoolgen login to log in again", s.path(address))
	}
	s.hide(l)
	return l, nil
}

// visible matches a token that can be part of a header.
var visible = lazyregexp.New("^[!-~]+$")

// save writes a login to a new file, which only the user can read.
func (s *Store) save(l *login) error {
	s.hide(l)
	switch {
	case !strings.EqualFold(l.Token.Type(), "bearer"):
		return errors.New("the authorization server issued a token of an unsupported type; only bearer tokens are supported")
	case !visible().MatchString(l.Token.AccessToken):
		return errors.New("the authorization server issued a token with spaces, control characters or non-ASCII characters, which cannot be sent")
	}
	root, err := s.open(l.URL)
	if err != nil {
		return err
	}
	defer root.Close()
	text, err := json.MarshalIndent(l, "", "  ")
	if err == nil && len(text) >= maxFile {
		err = errors.New("it is larger than 1 MiB")
	}
	if err != nil {
		return fmt.Errorf("saving the login: %w", err)
	}
	if err := root.Chmod(name(l.URL), 0o600); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("saving the login: %w", err) // without Chmod, a replaced file would keep its mode
	}
	return files.WriteIn(root, name(l.URL), append(text, '\n'), 0o600)
}

// open returns the directory of the logins, and creates it if necessary. It returns an error if the login for a
// URL is not a regular file.
func (s *Store) open(address string) (*os.Root, error) {
	if s.dir == "" {
		return nil, errors.New("the login cannot be saved: no configuration directory; set HOME")
	}
	root, err := files.Make(s.dir, 0o700)
	if err != nil {
		return nil, fmt.Errorf("saving the login: %w", err)
	}
	if err := files.CheckIn(root, name(address)); err != nil {
		_ = root.Close() // nothing was written
		return nil, fmt.Errorf("saving the login: %w", err)
	}
	return root, nil
}

// secure reports whether data that is sent to a URL is safe, because the URL uses https or refers to this machine.
func secure(u *url.URL) bool {
	ip, err := netip.ParseAddr(u.Hostname())
	local := u.Hostname() == "localhost" || err == nil && ip.IsLoopback()
	return u.Scheme == "https" || u.Scheme == "http" && local
}
