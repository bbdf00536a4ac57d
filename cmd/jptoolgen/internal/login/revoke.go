package login

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"golang.org/x/oauth2"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/files"
)

// revocation returns the URL at which an authorization server revokes tokens, or "" if it does not support revocation
// (RFC 7009). A token is sent only to the host that issued it.
func revocation(ctx context.Context, issuer string, client *http.Client, issued string) string {
	server, err := auth.GetAuthServerMetadata(ctx, issuer, client)
	if err != nil || server == nil {
		return ""
	}
	to, err := url.Parse(server.RevocationEndpoint)
	from, failed := url.Parse(issued)
	if err != nil || failed != nil || to.Scheme != from.Scheme || to.Host != from.Host {
		return ""
	}
	return server.RevocationEndpoint
}

// LogOut removes a login, and asks the authorization server to revoke the token. For a URL without a login, the error is
// [fs.ErrNotExist]. revoked is the reason why the authorization server did not revoke the token, or nil.
func (s *Store) LogOut(ctx context.Context, address string) (revoked, err error) {
	if s.dir == "" {
		return nil, fs.ErrNotExist
	}
	unlock, err := files.Lock(ctx, s.path(address)) // another process may be replacing the token
	if err != nil {
		return nil, err
	}
	l, unread := s.read(address) // a file that does not contain a login is removed as well
	err = os.Remove(s.path(address))
	unlock()
	if err != nil || unread != nil || l.Revocation == "" {
		return nil, err
	}
	return l.revoke(ctx), nil
}

// revoke asks the authorization server to revoke the refresh token, which also revokes the other tokens (RFC 7009,
// section 2.1).
func (l *login) revoke(ctx context.Context) error {
	form := url.Values{"token": {cmp.Or(l.Token.RefreshToken, l.Token.AccessToken)}}
	inHeader := l.Config.ClientSecret != "" && l.Config.Endpoint.AuthStyle != oauth2.AuthStyleInParams
	if !inHeader {
		form.Set("client_id", l.Config.ClientID)
		if l.Config.ClientSecret != "" {
			form.Set("client_secret", l.Config.ClientSecret)
		}
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, l.Revocation, strings.NewReader(form.Encode()))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if inHeader {
		req.SetBasicAuth(url.QueryEscape(l.Config.ClientID), url.QueryEscape(l.Config.ClientSecret))
	}
	client, _ := newClient()
	resp, err := client.Do(req)
	if err != nil {
		return plain(err)
	}
	_ = resp.Body.Close() // only the status matters
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("the server responded with status %d", resp.StatusCode)
	}
	return nil
}
