package main

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"
)

// browser acts as a browser in which the user logs in. Its argument is the URL of the login page.
func browser() {
	resp, err := http.Get(os.Args[1])
	if err != nil || resp.StatusCode != http.StatusOK {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// A loginServer is an MCP server, at /mcp, that requires a login. It is also the authorization server that it names.
type loginServer struct {
	*httptest.Server
	// change modifies a document before it is sent.
	change func(path string, document map[string]any)
	// instead returns true if it has handled a request in place of the server.
	instead func(w http.ResponseWriter, r *http.Request) bool
	// lifetime is the lifetime of a token in seconds.
	lifetime int

	mu      sync.Mutex
	codes   map[string]url.Values // the query of the login page, keyed by code
	access  map[string]bool
	refresh map[string]bool
	issued  int
	secrets []string
}

const loginSecret = "hunter2"

func newLoginServer(t *testing.T, behind string) *loginServer {
	s := &loginServer{lifetime: 3600, codes: map[string]url.Values{}, access: map[string]bool{}, refresh: map[string]bool{}}
	mux := http.NewServeMux()
	to, err := url.Parse(behind)
	if err != nil {
		t.Fatal(err)
	}
	mux.Handle("/mcp", s.requireToken(to))
	mux.HandleFunc("/.well-known/oauth-protected-resource/mcp", func(w http.ResponseWriter, r *http.Request) {
		s.document(w, r, http.StatusOK, map[string]any{"resource": s.URL + "/mcp", "authorization_servers": []any{s.URL}, "scopes_supported": []any{"tools"}})
	})
	mux.HandleFunc("/.well-known/oauth-authorization-server", func(w http.ResponseWriter, r *http.Request) {
		s.document(w, r, http.StatusOK, map[string]any{
			"issuer": s.URL, "authorization_endpoint": s.URL + "/authorize", "token_endpoint": s.URL + "/token", "registration_endpoint": s.URL + "/register", "revocation_endpoint": s.URL + "/revoke",
			"response_types_supported": []any{"code"}, "code_challenge_methods_supported": []any{"S256"}, "scopes_supported": []any{"tools", "offline_access"},
		})
	})
	mux.HandleFunc("/register", func(w http.ResponseWriter, r *http.Request) {
		s.document(w, r, http.StatusCreated, map[string]any{"client_id": "registered", "token_endpoint_auth_method": "none"})
	})
	mux.HandleFunc("/authorize", s.authorize)
	mux.HandleFunc("/token", s.token)
	mux.HandleFunc("/revoke", func(_ http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.refresh, r.PostFormValue("token"))
	})
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.instead == nil || !s.instead(w, r) {
			mux.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

// requireToken passes requests with a token to the server at a URL. It replaces "ice" in results with the token.
func (s *loginServer) requireToken(to *url.URL) http.Handler {
	proxy := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(&url.URL{Scheme: to.Scheme, Host: to.Host})
			r.Out.Header.Del("Authorization")
			r.Out.Header.Set("Accept-Encoding", "identity")
		},
		ModifyResponse: func(resp *http.Response) error {
			text, err := io.ReadAll(resp.Body)
			text = bytes.ReplaceAll(text, []byte("ice"), []byte(strings.TrimPrefix(resp.Request.Header.Get("X-Token"), "Bearer ")))
			resp.Body = io.NopCloser(bytes.NewReader(text))
			resp.Header.Del("Content-Length")
			return err
		},
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		token := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
		s.mu.Lock()
		valid := s.access[token]
		s.mu.Unlock()
		if !valid {
			w.Header().Set("WWW-Authenticate", `Bearer resource_metadata="`+s.URL+`/.well-known/oauth-protected-resource/mcp", scope="tools"`)
			http.Error(w, "log in first", http.StatusUnauthorized)
			return
		}
		r.Header.Set("X-Token", token)
		proxy.ServeHTTP(w, r)
	})
}

func (s *loginServer) document(w http.ResponseWriter, r *http.Request, status int, document map[string]any) {
	if s.change != nil {
		s.change(r.URL.Path, document)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(document)
}

func (s *loginServer) authorize(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	if q.Get("response_type") != "code" || q.Get("code_challenge_method") != "S256" || q.Get("resource") != s.URL+"/mcp" || q.Get("scope") == "" {
		http.Error(w, "bad request", http.StatusBadRequest)
		return
	}
	back := map[string]any{"code": s.secret(), "state": q.Get("state"), "iss": s.URL}
	s.mu.Lock()
	s.codes[back["code"].(string)] = q
	s.mu.Unlock()
	if s.change != nil {
		s.change(r.URL.Path, back)
	}
	query := url.Values{}
	for name, value := range back {
		query.Set(name, fmt.Sprint(value))
	}
	http.Redirect(w, r, q.Get("redirect_uri")+"?"+query.Encode(), http.StatusFound)
}

// secret returns a new secret. It records the secret, so that the tests detect whether it is printed.
func (s *loginServer) secret() string {
	text := loginSecret + rand.Text()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.secrets = append(s.secrets, text)
	return text
}

// token issues a token for a code or for a refresh token, which it accepts only once.
func (s *loginServer) token(w http.ResponseWriter, r *http.Request) {
	_ = r.ParseForm()
	sum := sha256.Sum256([]byte(r.Form.Get("code_verifier")))
	s.mu.Lock()
	asked := s.codes[r.Form.Get("code")]
	good := s.refresh[r.Form.Get("refresh_token")] && r.Form.Get("resource") == s.URL+"/mcp"
	delete(s.refresh, r.Form.Get("refresh_token"))
	if r.Form.Get("grant_type") == "authorization_code" {
		good = asked.Get("code_challenge") == base64.RawURLEncoding.EncodeToString(sum[:]) && asked.Get("client_id") == r.Form.Get("client_id") &&
			r.Form.Get("resource") == s.URL+"/mcp" && r.Form.Get("redirect_uri") == asked.Get("redirect_uri")
	}
	s.mu.Unlock()
	if !good {
		s.document(w, r, http.StatusBadRequest, map[string]any{"error": "invalid_grant", "error_description": "not " + r.Form.Encode()})
		return
	}
	access, refresh := s.secret(), s.secret()
	s.mu.Lock()
	s.access, s.issued = map[string]bool{access: true}, s.issued+1
	s.refresh[refresh] = true
	s.mu.Unlock()
	s.document(w, r, http.StatusOK, map[string]any{"access_token": access, "token_type": "Bearer", "expires_in": s.lifetime, "refresh_token": refresh})
}
