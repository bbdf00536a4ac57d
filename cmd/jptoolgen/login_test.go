package main

import (
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/files"
)

// run runs a command, and fails if its output contains a secret of the authorization server.
func (s *loginServer) run(t *testing.T, status int, want string, words ...string) {
	t.Helper()
	got, stdout, stderr := jptoolgen(t, words...)
	if got != status || !strings.Contains(stdout+stderr, want) {
		t.Errorf("%v: status %d, want %d and %q\n%s\n%s", words, got, status, want, stdout, stderr)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, secret := range s.secrets {
		if strings.Contains(stderr, secret) {
			t.Errorf("%v prints a secret: %s", words, stderr)
		}
	}
}

func TestLogin(t *testing.T) {
	config := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", config)
	t.Setenv("HOME", config)
	t.Setenv("AppData", config)
	s := newLoginServer(t, serveKiosk(t))
	at := s.URL + "/mcp"
	s.run(t, 2, "status 401 Unauthorized; log in with jptoolgen login, or add --header", "list", at)
	s.run(t, 2, "no saved login", "logout", at)
	s.run(t, 0, "logged in to 127.0.0.1:", "login", "--open", at)
	s.run(t, 0, "order ", "list", at)
	s.run(t, 0, `"what":"***"`, "call", "--trace", at, "sale", "id=7") // the server sends the token back
	s.run(t, 2, "status 401", "list", "--header", "Authorization: Bearer x", at)
	s.run(t, 2, "status 401", "list", at+"?other") // a token is valid for one URL

	err := filepath.WalkDir(config, func(path string, d fs.DirEntry, err error) error {
		if info, _ := d.Info(); err == nil && filepath.Separator == '/' && strings.Contains(path, "logins") && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has the mode %v", path, info.Mode())
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}

	// An expired token is replaced once for all processes, because the server accepts a refresh token only once.
	s.lifetime = 1
	s.run(t, 0, "logged in", "login", "--open", at)
	s.lifetime = 3600
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() { s.run(t, 0, "order ", "list", at) })
	}
	all.Wait()
	if s.issued != 3 {
		t.Errorf("%d tokens were issued, want 3", s.issued)
	}

	// A token that expires soon, or that is issued as expired, is replaced once for all requests of a
	// command.
	for _, lifetime := range []int{25, -60} {
		s.lifetime = lifetime
		s.run(t, 0, "logged in", "login", "--open", at)
		before := s.issued
		s.run(t, 0, `"what":"`+loginSecret, "call", at, "sale", "id=7")
		if s.issued != before+1 {
			t.Errorf("a lifetime of %d seconds: %d tokens were issued for one command", lifetime, s.issued-before)
		}
	}

	// If the server refuses to issue a token, the login ends and its file is deleted.
	s.lifetime = 1
	s.run(t, 0, "logged in", "login", "--open", at)
	s.instead = func(w http.ResponseWriter, r *http.Request) bool {
		switch r.URL.Path {
		case "/token": // the handshake sends several requests, each without a token
			_, _ = io.Copy(io.Discard, r.Body)
			<-r.Context().Done()
		case "/revoke":
			w.WriteHeader(http.StatusBadGateway)
		default:
			return false
		}
		return true
	}
	s.run(t, 2, "did not respond within 100ms", "list", "--timeout", "100ms", at)
	s.run(t, 0, "note: the authorization server did not revoke the token, which may remain valid until it expires: the server responded with status 502", "logout", at)
	s.instead = nil
	s.run(t, 0, "logged in", "login", "--open", at)
	clear(s.refresh)
	s.run(t, 2, "has expired; run jptoolgen login to log in again", "list", at)
	s.run(t, 0, "logged in", "login", "--open", at)
	s.run(t, 0, "logged out", "logout", at)
	if len(s.refresh) > 0 {
		t.Error("the token is not revoked")
	}
	s.run(t, 2, "status 401", "list", at)

	// A login waits for a process that is replacing the token of the last login.
	s.run(t, 0, "logged in", "login", "--open", at)
	saved, err := filepath.Glob(filepath.Join(config, "*", "logins", "*.json"))
	if err != nil || len(saved) != 1 {
		t.Fatalf("logins %v, %v", saved, err)
	}
	before, err := os.ReadFile(saved[0])
	if err != nil {
		t.Fatal(err)
	}
	unlock, err := files.Lock(t.Context(), saved[0])
	if err != nil {
		t.Fatal(err)
	}
	s.run(t, 2, "saving the login: context deadline exceeded", "login", "--open", "--timeout", "1s", at)
	if after, err := os.ReadFile(saved[0]); err != nil || string(after) != string(before) {
		t.Errorf("the login was replaced: %v", err)
	}
	unlock()
	s.run(t, 0, "logged in", "login", "--open", at)
	if after, err := os.ReadFile(saved[0]); err != nil || string(after) == string(before) {
		t.Errorf("the login was not replaced: %v", err)
	}

	// A server can require different scopes for some requests; the scopes of the last login are kept.
	s.lifetime = 3600
	s.run(t, 0, "logged in", "login", "--open", at)
	s.instead = func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path != "/mcp" {
			return false
		}
		w.Header().Set("WWW-Authenticate", `Bearer error="insufficient_scope", scope="notes:write notes:read"`)
		w.WriteHeader(http.StatusForbidden)
		return true
	}
	s.run(t, 2, "status 403 Forbidden; log in again with jptoolgen login --scope 'notes:write notes:read'", "list", at)
	s.instead = nil
	s.run(t, 0, "notes%3Awrite", "login", "--open", "--scope", "notes:write notes:read", at)
	s.run(t, 0, "notes%3Awrite", "login", "--open", at)
	s.run(t, 0, "logged out", "logout", at)

	// The authorization server knows the client.
	t.Setenv("CLIENT_SECRET", loginSecret)
	s.lifetime = 3600
	s.run(t, 0, "logged in", "login", "--open", "--client-id", "known", "--client-secret", "${CLIENT_SECRET}", at)
	s.run(t, 0, "order ", "list", at)
	s.run(t, 0, "logged out", "logout", at)
}

// On a terminal, the page is opened after the user answers yes.
func TestLoginAtATerminal(t *testing.T) {
	s := newLoginServer(t, serveKiosk(t))
	testscript.Run(t, testscript.Params{
		Dir: "testdata/login", RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("SERVER", s.URL+"/mcp")
			return nil
		},
	})
}

func TestLoginRefused(t *testing.T) {
	config := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", config)
	t.Setenv("HOME", config)
	t.Setenv("CLIENT_SECRET", loginSecret)
	kiosk := serveKiosk(t)
	foreign := newLoginServer(t, kiosk)
	visited := false
	foreign.instead = func(http.ResponseWriter, *http.Request) bool { visited = true; return false }
	const (
		resource = "/.well-known/oauth-protected-resource/mcp"
		metadata = "/.well-known/oauth-authorization-server"
	)
	set := func(at, name string, value any) func(*loginServer) {
		return func(s *loginServer) {
			s.change = func(path string, document map[string]any) {
				if path == at {
					document[name] = value
				}
			}
		}
	}
	redirect := func(at string) func(*loginServer) {
		return func(s *loginServer) {
			s.instead = func(w http.ResponseWriter, r *http.Request) bool {
				if r.URL.Path == at {
					http.Redirect(w, r, foreign.URL+at, http.StatusTemporaryRedirect)
				}
				return r.URL.Path == at
			}
		}
	}
	for _, tc := range []struct {
		name string
		set  func(*loginServer)
		want string
	}{
		{"issuer in the metadata", set(metadata, "issuer", foreign.URL), "does not match issuer URL"},
		{"issuer in the redirect", set("/authorize", "iss", foreign.URL), "does not match expected issuer"},
		{"missing issuer", func(s *loginServer) {
			s.change = func(path string, document map[string]any) {
				document["authorization_response_iss_parameter_supported"] = true
				delete(document, "iss")
			}
		}, "none was received"},
		{"state", set("/authorize", "state", "guessed"), "the login was not completed: no response within 1s"},
		{"denied", set("/authorize", "error", "access_denied"), `the authorization server rejected the login: "access_denied"`},
		{"wrong code", set("/authorize", "code", "guessed"), "refused to issue a token: invalid_grant"},
		{"secret as an error code", func(s *loginServer) {
			set("/token", "error", "x "+loginSecret)(s)
			s.instead = func(w http.ResponseWriter, r *http.Request) bool {
				if r.URL.Path == "/token" {
					s.document(w, r, http.StatusBadRequest, map[string]any{})
				}
				return r.URL.Path == "/token"
			}
		}, "refused to issue a token: unknown error"},
		{"type of the token", set("/token", "token_type", "DPoP"), "a token of an unsupported type"},
		{"token for another resource", set(resource, "resource", foreign.URL+"/mcp"), "got metadata resource"},
		{"huge metadata", set(resource, "scopes_supported", []string{strings.Repeat("x", 2<<20)}), "the response is larger than 1 MiB"},
		{"empty registration", func(s *loginServer) {
			s.instead = func(w http.ResponseWriter, r *http.Request) bool {
				if r.URL.Path == "/register" {
					_, _ = io.WriteString(w, " null")
				}
				return r.URL.Path == "/register"
			}
		}, "refused to register jptoolgen (unknown error)"},
		{"token with two lines", set("/token", "access_token", loginSecret+"\n"+loginSecret), "which cannot be sent"},
		{"login page with a user name", set(metadata, "authorization_endpoint", "https://example.com@login.example/"), "must use https, with an ASCII host and no user name"},
		{"login page with non-ASCII letters", set(metadata, "authorization_endpoint", "https://ехample.com/"), "must use https, with an ASCII host and no user name"},
		{"no PKCE", set(metadata, "code_challenge_methods_supported", nil), "does not implement PKCE"},
		{"token over http", set(metadata, "token_endpoint", "http://login.example.com/token"), "does not use HTTPS"},
		{"login page over http", set(metadata, "authorization_endpoint", "http://login.example.com/"), "does not use HTTPS"},
		{"login page is a script", set(metadata, "authorization_endpoint", "javascript:alert(1)"), `disallowed scheme "javascript"`},
		{"authorization server over http", set(resource, "authorization_servers", []string{"http://login.example.com"}), "does not use HTTPS"},
		{"token from a private network", set(metadata, "token_endpoint", "https://10.0.0.1/token"), "non-public address"},
		{"redirected metadata", redirect(metadata), "but redirects are not followed"},
		{"redirected resource", redirect(resource), "but redirects are not followed"},
		{"redirected registration", redirect("/register"), "refused to register jptoolgen"},
		{"redirected token", redirect("/token"), "but redirects are not followed"},
		{"redirected server", redirect("/mcp"), "the server cannot be reached: the server redirects to http://127.0.0.1:"},
		{"refused registration", func(s *loginServer) {
			s.instead = func(w http.ResponseWriter, r *http.Request) bool {
				if r.URL.Path == "/register" {
					s.document(w, r, http.StatusOK, map[string]any{"client_secret": loginSecret})
				}
				return r.URL.Path == "/register"
			}
		}, "refused to register jptoolgen (unknown error); register a client there, and add --client-id ID"},
		{"open server", func(s *loginServer) {
			s.instead = func(http.ResponseWriter, *http.Request) bool { return true }
		}, "the server does not require a login: it responded with status 200 OK"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := newLoginServer(t, kiosk)
			tc.set(s)
			visited = false
			s.run(t, 2, tc.want, "login", "--open", "--timeout", "1s", s.URL+"/mcp")
			if visited {
				t.Error("another server was visited")
			}
			s.run(t, 2, "no saved login", "logout", s.URL+"/mcp")
		})
	}
	// The page is opened only if the user answers yes.
	quiet := newLoginServer(t, kiosk)
	quiet.run(t, 2, quiet.URL+"/authorize?client_id=registered", "login", "--timeout", "1s", quiet.URL+"/mcp")
	if len(quiet.codes) > 0 {
		t.Error("the login page was opened")
	}
	for _, tc := range []struct {
		want  string
		words []string
	}{
		{"a login requires https", []string{"http://mcp.example.com/mcp"}},
		{"a login requires https", []string{"http://127.evil.example/mcp"}},
		{"the target must be an HTTP server", []string{"-", "--", "kiosk"}},
		{"--client-secret requires --client-id", []string{"--client-secret", "${CLIENT_SECRET}", kiosk}},
		{"--client-secret must refer to an environment variable", []string{"--client-id", "x", "--client-secret", loginSecret, kiosk}},
		{"--client-secret requires ${NO_SUCH_SECRET}, which is not set", []string{"--client-id", "x", "--client-secret", "${NO_SUCH_SECRET}", kiosk}},
		{"the target already sets an Authorization header", []string{"--header", "authorization: Bearer ${CLIENT_SECRET}", kiosk}},
		{"the server cannot be reached", []string{"http://127.0.0.1:1/mcp"}},
		{"the server does not require a login", []string{kiosk}},
	} {
		foreign.run(t, 2, tc.want, append([]string{"login"}, tc.words...)...)
	}
}
