package login

import (
	"context"
	"errors"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/oauth2"
)

// A server on the internet cannot make the client connect to this machine or its network.
func TestGuard(t *testing.T) {
	const internet, network, machine, mapped = "93.184.216.34:443", "10.1.2.3:443", "127.0.0.1:80", "[::ffff:127.0.0.1]:80"
	for _, tc := range []struct{ server, then, refused string }{
		{internet, internet, ""}, {internet, network, network}, {internet, machine, machine}, {internet, mapped, mapped},
		{internet, "169.254.169.254:80", "169.254.169.254:80"}, {internet, "0.0.0.0:80", "0.0.0.0:80"},
		{internet, "100.127.255.255:443", "100.127.255.255:443"}, {internet, "100.128.0.0:443", ""},
		{network, internet, ""}, {network, network, ""}, {network, machine, machine}, {machine, machine, ""}, {machine, internet, ""},
	} {
		g := &guard{}
		if err := g.check("tcp", tc.server, nil); err != nil {
			t.Errorf("%s: %v", tc.server, err)
		}
		g.settled.Store(true)
		if err := g.check("tcp", tc.then, nil); (err != nil) != (tc.refused != "") {
			t.Errorf("a server at %s connects to %s: %v", tc.server, tc.then, err)
		}
	}
}

// Only the first redirect with the state of the login is accepted.
func TestCallback(t *testing.T) {
	results := make(chan url.Values, 1)
	h := callback("127.0.0.1:1", "right", results)
	for _, tc := range []struct {
		method, address string
		status          int
	}{
		{"GET", "http://127.0.0.1:1/callback?code=a", 400},
		{"GET", "http://127.0.0.1:1/callback?code=a&state=wrong", 400},
		{"GET", "http://127.0.0.1:1/?code=a&state=right", 400},
		{"GET", "http://evil.example/callback?code=a&state=right", 400},
		{"POST", "http://127.0.0.1:1/callback?code=a&state=right", 400},
		{"GET", "http://127.0.0.1:1/callback?code=b&state=right", 200},
		{"GET", "http://127.0.0.1:1/callback?code=c&state=right", 400},
	} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(tc.method, tc.address, http.NoBody))
		if w.Code != tc.status || strings.Contains(w.Body.String(), "right") {
			t.Errorf("%s %s: status %d %s, want %d", tc.method, tc.address, w.Code, w.Body, tc.status)
		}
	}
	if q := <-results; q.Get("code") != "b" {
		t.Errorf("the code is %q", q.Get("code"))
	}
	w := httptest.NewRecorder()
	callback("127.0.0.1:80", "right", results).ServeHTTP(w, httptest.NewRequest("GET", "http://127.0.0.1/callback?code=d&state=right", http.NoBody))
	if w.Code != 200 {
		t.Errorf("port 80: status %d %s", w.Code, w.Body)
	}
}

// A file that other users may read is made private, and a file that does not contain a login is rejected.
func TestStore(t *testing.T) {
	s := Open(t.TempDir())
	const at = "https://example.com/mcp"
	if token, err := s.Find(at); token != nil || err != nil {
		t.Errorf("empty store: got %v", err)
	}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(s.path(at), []byte(`{}`), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Find(at); err == nil || !strings.Contains(err.Error(), "does not contain a login; run jptoolgen login") {
		t.Errorf("file without a login: got %v", err)
	}
	l := &login{Format: format, URL: at, Config: &oauth2.Config{ClientSecret: "s"}, Token: &oauth2.Token{AccessToken: "a", RefreshToken: "r"}}
	if err := s.save(l); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(s.path(at)); err != nil || filepath.Separator == '/' && info.Mode().Perm() != 0o600 {
		t.Errorf("the mode is %v, %v", info.Mode(), err)
	}
	if again := Open(filepath.Dir(filepath.Dir(s.dir))); strings.Join(s.Secrets(), " ") != "a r s" {
		t.Errorf("secrets %q", again.Secrets())
	} else if token, err := again.Find(at); err != nil || token == nil {
		t.Errorf("the login was lost: %v", err)
	} else if text, err := token(t.Context()); text != "a" || err != nil {
		t.Errorf("the token is %q, %v", text, err)
	}
}

// A login file that is a symbolic link is rejected, and LogIn fails before the user logs in.
func TestLinkedLogin(t *testing.T) {
	s := Open(t.TempDir())
	const at = "https://example.com/mcp"
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(t.TempDir(), s.path(at)); err != nil {
		t.Fatal(err)
	}
	_, found := s.Find(at)
	for _, err := range []error{found, s.LogIn(t.Context(), Request{URL: at})} {
		if err == nil || !strings.Contains(err.Error(), `.json" is a link; use a regular file`) {
			t.Errorf("link: got %v", err)
		}
	}
}

// A logout waits while a token is refreshed, so that the refresh cannot restore the login. Lock tries to take the lock
// before it looks at the context, so a canceled logout fails only if it would wait.
func TestLogOutDuringRefresh(t *testing.T) {
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	s := Open(t.TempDir())
	address, waited := "", error(nil)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, waited = s.LogOut(canceled, address)
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"access_token":"new","token_type":"Bearer","expires_in":3600}`))
	}))
	defer server.Close()
	address = server.URL
	saveExpired(t, s, address)
	if l, err := s.refresh(t.Context(), address); err != nil || l.Token.AccessToken != "new" || l.Token.RefreshToken != "r" {
		t.Fatalf("refreshed %+v, %v", l, err)
	}
	if !errors.Is(waited, context.Canceled) {
		t.Errorf("the logout did not wait for the refresh: %v", waited)
	}
	if _, err := s.LogOut(canceled, address); err != nil {
		t.Errorf("the lock was not released: %v", err)
	}
	if _, err := os.Stat(s.path(address)); !os.IsNotExist(err) {
		t.Errorf("the login is back: %v", err)
	}
	if _, err := s.LogOut(t.Context(), address); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a logout without a login: %v", err)
	}
}

// saveExpired saves a login whose token has expired and can be refreshed.
func saveExpired(t *testing.T, s *Store, address string) {
	t.Helper()
	err := s.save(&login{
		Format: format, URL: address, Config: &oauth2.Config{ClientID: "c", Endpoint: oauth2.Endpoint{TokenURL: address}},
		Token: &oauth2.Token{AccessToken: "old", RefreshToken: "r", Expiry: time.Now().Add(-time.Hour)},
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Only a refusal means that the user must log in again.
func TestRefreshError(t *testing.T) {
	for status, want := range map[int]string{400: "has expired", 401: "has expired", 429: "refreshing the login: ", 503: "refreshing the login: "} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }))
		s := Open(t.TempDir())
		saveExpired(t, s, server.URL)
		if _, err := s.refresh(t.Context(), server.URL); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("status %d: %v", status, err)
		}
		server.Close()
	}
}

// An authorization server cannot redirect a refresh token to another server.
func TestRedirectedTokens(t *testing.T) {
	foreign := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { t.Errorf("%s was sent to another server", r.URL) }))
	defer foreign.Close()
	for _, status := range []int{301, 302, 303, 307, 308} {
		server := httptest.NewServer(http.RedirectHandler(foreign.URL, status))
		s := Open(t.TempDir())
		saveExpired(t, s, server.URL)
		if _, err := s.refresh(t.Context(), server.URL); err == nil || !strings.Contains(err.Error(), "redirects are not followed") {
			t.Errorf("%d: refresh: %v", status, err)
		}
		l, err := s.read(server.URL)
		if err != nil || l.Token.RefreshToken != "r" {
			t.Fatalf("%d: the login was lost: %v", status, err)
		}
		l.Revocation = server.URL
		if err := s.save(l); err != nil {
			t.Fatal(err)
		}
		if revoked, err := s.LogOut(t.Context(), server.URL); err != nil || revoked == nil || !strings.Contains(revoked.Error(), "redirects are not followed") {
			t.Errorf("%d: revocation: %v, %v", status, revoked, err)
		}
		server.Close()
	}
}
