package auth_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"github.com/jptool/jptool/sdk"
	"github.com/jptool/jptool/sdk/auth"
	"github.com/jptool/jptool/sdk/gen/decode"
	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/sdk/tool"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

// An authority is an authorization server with one key.
type authority struct {
	*httptest.Server
	mu      sync.Mutex
	key     jose.JSONWebKey
	fetched int
	down    bool
}

func newAuthority(t *testing.T) *authority {
	a := new(authority)
	a.rotate(t)
	mux := http.NewServeMux()
	mux.HandleFunc("/.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `{"issuer":%q,"jwks_uri":%q}`, a.URL, a.URL+"/keys")
	})
	mux.HandleFunc("/keys", func(w http.ResponseWriter, _ *http.Request) {
		a.mu.Lock()
		defer a.mu.Unlock()
		if a.fetched++; a.down {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		_ = json.NewEncoder(w).Encode(jose.JSONWebKeySet{Keys: []jose.JSONWebKey{a.key.Public()}})
	})
	a.Server = httptest.NewServer(mux)
	t.Cleanup(a.Close)
	return a
}

func (a *authority) rotate(t *testing.T) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.key = jose.JSONWebKey{Key: key, KeyID: rand.Text(), Algorithm: string(jose.ES256)}
}

// token returns a token for alice, with changes to its claims. A claim that is nil is left out.
func (a *authority) token(t *testing.T, changes map[string]any) string {
	t.Helper()
	claims := map[string]any{
		"iss": a.URL, "sub": "alice", "aud": resource, "exp": time.Now().Add(time.Hour).Unix(), "scope": "notes:read", "team": "blue",
	}
	maps.Copy(claims, changes)
	maps.DeleteFunc(claims, func(_ string, v any) bool { return v == nil })
	text, _ := json.Marshal(claims) // plain values
	a.mu.Lock()
	defer a.mu.Unlock()
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.ES256, Key: a.key}, nil)
	if err != nil {
		t.Fatal(err)
	}
	signed, err := signer.Sign(text)
	if err != nil {
		t.Fatal(err)
	}
	compact, err := signed.CompactSerialize()
	if err != nil {
		t.Fatal(err)
	}
	return compact
}

const resource = "https://notes.example.com/mcp"

// newNotes returns a server with a tool without scopes, and a tool, a resource and a prompt with scopes. Each
// returns its caller.
func newNotes() *sdk.Server {
	schema := manifest.Schema(`{"type":"object","properties":{}}`)
	contract := &manifest.Server{
		Format: 1, Name: "notes", Description: "Notes.", Unknown: manifest.Reject,
		Scopes: []manifest.Scope{{Name: "notes:admin", Implies: []string{"notes:read", "notes:write"}}},
		Tools: []manifest.Tool{
			{Name: "whoami", Description: "x", Input: schema},
			{Name: "write", Description: "x", Input: schema, Scopes: []string{"notes:read", "notes:write"}},
		},
		Resources: []manifest.Resource{{Name: "all", URI: "notes://all", Scopes: []string{"notes:all"}}},
		Prompts:   []manifest.Prompt{{Name: "sum", Scopes: []string{"notes:all"}}},
	}
	who := func(_ context.Context, call *tool.Call, _, _, _ handler.None) (string, error) {
		c := call.Caller()
		return fmt.Sprintf("I am %s of %s with %s, %s, %s", c.Subject, c.Issuer, strings.Join(c.Scopes, "+"), call.Principal(), c.Claims), nil
	}
	make := func(name string, kind handler.Kind) *handler.Tool {
		return handler.New(name, handler.Codec[handler.None, handler.None, handler.None, string]{
			Kind: kind, Input: func(*decode.Object, *handler.None) {}, Result: handler.Text[string],
		}, who)
	}
	return sdk.NewServer(contract, make("whoami", ""), make("write", ""), make("all", handler.Resource), make("sum", handler.Prompt))
}

// A site is a server that authenticates its callers.
type site struct{ handler http.Handler }

func newSite(t *testing.T, a *sdk.Auth, more ...string) site {
	t.Helper()
	o := sdk.HTTPOptions{Auth: a, Path: "/mcp", Origins: more}
	h, err := newNotes().Handler(t.Context(), sdk.Options{Log: slog.New(slog.DiscardHandler)}, o)
	if err != nil {
		t.Fatal(err)
	}
	return site{h}
}

func verifier(t *testing.T, a *authority) *sdk.Auth {
	t.Helper()
	v, err := auth.NewIssuer(a.URL)
	if err != nil {
		t.Fatal(err)
	}
	return &sdk.Auth{Verifier: v, Resource: resource, Servers: []string{a.URL}}
}

// send sends a request of version 2026-07-28.
func (s site) send(path, token, method, name, params string, headers ...string) *http.Response {
	if params != "" {
		params = "," + params
	}
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",`+
		`"io.modelcontextprotocol/clientCapabilities":{}}%s}}`, method, params)
	r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(body))
	for _, h := range [][2]string{
		{"Content-Type", "application/json"}, {"Mcp-Protocol-Version", "2026-07-28"}, {"Mcp-Method", method},
		{"Mcp-Name", name}, {"Authorization", token},
	} {
		if h[1] != "" {
			r.Header.Set(h[0], h[1])
		}
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, r)
	return w.Result()
}

// call calls a tool and returns the status, the challenge and the body.
func (s site) call(token, name string) (int, string, string) {
	resp := s.send("/mcp", token, "tools/call", name, fmt.Sprintf(`"name":%q,"arguments":{}`, name))
	return read(resp)
}

func read(resp *http.Response) (int, string, string) {
	body, _ := io.ReadAll(resp.Body) // a recorder does not fail
	return resp.StatusCode, resp.Header.Get("Www-Authenticate"), string(body)
}

// unsigned returns a token with the algorithm none, or one with a key that the public key is misused for.
func unsigned(claims string) string {
	part := func(text string) string { return base64.RawURLEncoding.EncodeToString([]byte(text)) }
	return part(`{"alg":"none"}`) + "." + part(claims) + "."
}

// The rules of RFC 6750, RFC 8707, RFC 9728 and MCP's page on authorization, each with a token that breaks it.
func TestTokens(t *testing.T) {
	own, other := newAuthority(t), newAuthority(t)
	s := newSite(t, verifier(t, own))
	const metadata = `resource_metadata="https://notes.example.com/.well-known/oauth-protected-resource/mcp"`
	const refused = `Bearer error="invalid_token", error_description="The token is not valid for this server.", ` + metadata
	valid := own.token(t, nil)
	claims := fmt.Sprintf(`{"iss":%q,"sub":"alice","aud":%q,"exp":%d}`, own.URL, resource, time.Now().Add(time.Hour).Unix())
	forged := other.token(t, map[string]any{"iss": own.URL})
	for _, tt := range []struct {
		name, token, tool string
		status            int
		challenge, body   string
	}{
		{"a valid token", "Bearer " + valid, "whoami", 200, "", "I am alice of " + own.URL + " with notes:read, " + own.URL + " alice, {"},
		{"no token", "", "whoami", 401, "Bearer " + metadata, "no bearer token"},
		{"another scheme", "Basic YTpi", "whoami", 401, refused, "not valid"},
		{"no JWT", "Bearer abc", "whoami", 401, refused, "not valid"},
		{"the algorithm none", "Bearer " + unsigned(claims), "whoami", 401, refused, "not valid"},
		{"another key", "Bearer " + forged, "whoami", 401, refused, "not valid"},
		{"another issuer", "Bearer " + other.token(t, nil), "whoami", 401, refused, "not valid"},
		{"a changed token", "Bearer " + valid[:len(valid)-6] + "AAAAAA", "whoami", 401, refused, "not valid"},
		{"expired", "Bearer " + own.token(t, map[string]any{"exp": time.Now().Add(-time.Second).Unix()}), "whoami", 401, refused, "not valid"},
		{"not yet valid", "Bearer " + own.token(t, map[string]any{"nbf": time.Now().Add(time.Hour).Unix()}), "whoami", 401, refused, "not valid"},
		{"another audience", "Bearer " + own.token(t, map[string]any{"aud": "https://other.example.com/mcp"}), "whoami", 401, refused, "not valid"},
		{"the audience of a face", "Bearer " + own.token(t, map[string]any{"aud": resource + "/readonly"}), "whoami", 401, refused, "not valid"},
		{"several audiences", "Bearer " + own.token(t, map[string]any{"aud": []string{"x", resource + "/"}}), "whoami", 200, "", "I am alice"},
		{"no audience", "Bearer " + own.token(t, map[string]any{"aud": nil}), "whoami", 401, refused, "not valid"},
		{"no subject", "Bearer " + own.token(t, map[string]any{"sub": nil}), "whoami", 401, refused, "not valid"},
		{"a list of scopes", "Bearer " + own.token(t, map[string]any{"scope": nil, "scp": []string{"notes:read", "notes:write"}}), "write", 200, "", "I am alice"},
		{"an implied scope", "Bearer " + own.token(t, map[string]any{"scope": "notes:admin"}), "write", 200, "", "notes:admin+notes:read+notes:write"},
		{"a missing scope", "Bearer " + valid, "write", 403, `Bearer error="insufficient_scope", error_description="The request needs more scopes.", scope="notes:read notes:write", ` + metadata, "lacks a scope"},
		{"an unknown tool", "Bearer " + valid, "wrte", 400, "", "did you mean"},
	} {
		status, challenge, body := s.call(tt.token, tt.tool)
		if status != tt.status || challenge != tt.challenge || !strings.Contains(body, tt.body) {
			t.Errorf("%s:\n got %d %s\n     %s\nwant %d %s\n     %s", tt.name, status, challenge, body, tt.status, tt.challenge, tt.body)
		}
		if strings.Contains(body, "exp") && status != 200 {
			t.Errorf("%s: the reason reaches the caller: %s", tt.name, body)
		}
	}
}

// A missing scope is refused alike for each method, while lists contain what the caller can get scopes for.
func TestScopesOfEachMethod(t *testing.T) {
	a := newAuthority(t)
	s := newSite(t, verifier(t, a), "https://app.example.com")
	token := "Bearer " + a.token(t, nil)
	for _, tt := range []struct{ method, name, params, scope string }{
		{"tools/call", "write", `"name":"write","arguments":{}`, "notes:read notes:write"},
		{"resources/read", "notes://all", `"uri":"notes://all"`, "notes:all"},
		{"prompts/get", "sum", `"name":"sum"`, "notes:all"},
		{"subscriptions/listen", "", `"notifications":{"resourceSubscriptions":["notes://all"]}`, "notes:all"},
	} {
		resp := s.send("/mcp", token, tt.method, tt.name, tt.params, "Origin", "https://app.example.com")
		status, challenge, body := read(resp)
		if status != 403 || !strings.Contains(challenge, `error="insufficient_scope"`) || !strings.Contains(challenge, `scope="`+tt.scope+`"`) {
			t.Errorf("%s: %d %s %s", tt.method, status, challenge, body)
		}
		if !strings.Contains(resp.Header.Get("Access-Control-Expose-Headers"), "Www-Authenticate") {
			t.Errorf("%s: pages cannot read the challenge: %v", tt.method, resp.Header)
		}
		all := "Bearer " + a.token(t, map[string]any{"scope": "notes:all notes:admin"})
		if status, _, body := read(s.send("/mcp", all, tt.method, tt.name, tt.params)); tt.method != "subscriptions/listen" && (status != 200 || !strings.Contains(body, "I am alice")) {
			t.Errorf("%s with the scopes: %d %s", tt.method, status, body)
		}
	}
	for method, want := range map[string]string{"tools/list": `"write"`, "resources/list": `"notes://all"`, "prompts/list": `"sum"`} {
		if status, _, body := read(s.send("/mcp", token, method, "", "")); status != 200 || !strings.Contains(body, want) || !strings.Contains(body, `"private"`) {
			t.Errorf("%s: %d %s", method, status, body)
		}
	}
}

// Callers with tokens from a file cannot get more scopes, so they do not see what they lack.
func TestStaticTokens(t *testing.T) {
	file := t.TempDir() + "/tokens"
	write(t, file, "# callers\nalice  sixteen-letters-or-more  notes:read notes:write\n\nbob sha256:"+
		"0c1ee6ed6d3d6dc5c2dbae7aeadfb0ed5c4d2bb5bb3f0ae4a5ac4a7e8f9ed1c2 notes:read\n")
	v, err := auth.ReadTokens(file)
	if err != nil {
		t.Fatal(err)
	}
	s := newSite(t, &sdk.Auth{Verifier: v})
	if status, challenge, _ := s.call("", "whoami"); status != 401 || challenge != "Bearer" {
		t.Errorf("no token: %d %s", status, challenge)
	}
	if status, challenge, _ := s.call("Bearer sixteen-letters-or-mor", "whoami"); status != 401 || !strings.Contains(challenge, "invalid_token") {
		t.Errorf("a wrong token: %d %s", status, challenge)
	}
	const alice = "Bearer sixteen-letters-or-more"
	if status, _, body := s.call(alice, "write"); status != 200 || !strings.Contains(body, "I am alice of  with notes:read+notes:write, alice, ") {
		t.Errorf("alice: %d %s", status, body)
	}
	for _, method := range []string{"resources/list", "prompts/list"} {
		if _, _, body := read(s.send("/mcp", alice, method, "", "")); strings.Contains(body, "sum") || strings.Contains(body, "notes://all") {
			t.Errorf("%s: %s", method, body)
		}
	}
	if status, _, body := read(s.send("/mcp", alice, "resources/read", "notes://all", `"uri":"notes://all"`)); status == 403 || strings.Contains(body, "I am") {
		t.Errorf("a hidden resource: %d %s", status, body)
	}
	for text, want := range map[string]string{
		"":                                       "no tokens",
		"alice":                                  `line 1: the caller "alice" has no token`,
		"\nalice short":                          `line 2: the token of the caller "alice" is shorter than 16`,
		"alice sha256:12":                        `the digest of the caller "alice"`,
		"a 0123456789abcdef\nb 0123456789abcdef": `line 2: the token of the caller "b" occurs`,
	} {
		write(t, file, text)
		if _, err := auth.ReadTokens(file); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "0123456789") {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// A new key is found, a flood of unknown keys causes few requests, and a withdrawn key that the authorization server
// cannot confirm is a temporary failure.
func TestKeys(t *testing.T) {
	a := newAuthority(t)
	s := newSite(t, verifier(t, a))
	if status, _, body := s.call("Bearer "+a.token(t, nil), "whoami"); status != 200 {
		t.Fatalf("%d %s", status, body)
	}
	a.rotate(t)
	if status, _, body := s.call("Bearer "+a.token(t, nil), "whoami"); status != 200 {
		t.Errorf("after a rotation: %d %s", status, body)
	}
	a.mu.Lock()
	a.down = true
	a.mu.Unlock()
	other := newAuthority(t)
	forged := "Bearer " + other.token(t, map[string]any{"iss": a.URL})
	if status, challenge, _ := s.call(forged, "whoami"); status != 503 || challenge != "" {
		t.Errorf("without keys: %d %s", status, challenge)
	}
	for range 100 {
		s.call(forged, "whoami")
	}
	if a.mu.Lock(); a.fetched > 30 {
		t.Errorf("%d requests for keys", a.fetched)
	}
	a.mu.Unlock()
	if status, _, body := s.call("Bearer "+a.token(t, nil), "whoami"); status != 200 {
		t.Errorf("a known key: %d %s", status, body)
	}
}

// Each path has metadata with its own URL.
func TestMetadata(t *testing.T) {
	a := newAuthority(t)
	s := newSite(t, verifier(t, a))
	for path, want := range map[string]string{"": "", "/": "", "/readonly": "/readonly", "/x/all/readonly": "/x/all/readonly"} {
		r := httptest.NewRequest(http.MethodGet, "/.well-known/oauth-protected-resource/mcp"+path, nil)
		w := httptest.NewRecorder()
		s.handler.ServeHTTP(w, r)
		expected := fmt.Sprintf(`{"resource":"%s%s","resource_name":"notes","authorization_servers":["%s"],`+
			`"scopes_supported":["notes:all","notes:read","notes:write"],"bearer_methods_supported":["header"]}`, resource, want, a.URL)
		if w.Code != 200 || w.Body.String() != expected || w.Header().Get("Content-Type") != "application/json" {
			t.Errorf("%s: %d %s, want %s", path, w.Code, w.Body, expected)
		}
	}
	token := "Bearer " + a.token(t, map[string]any{"aud": resource + "/readonly"})
	if status, _, body := read(s.send("/mcp/readonly", token, "tools/list", "", "")); status != 200 {
		t.Errorf("a token for the face: %d %s", status, body)
	}
	if _, challenge, _ := read(s.send("/mcp/readonly", "", "tools/list", "", "")); !strings.Contains(challenge, "/.well-known/oauth-protected-resource/mcp/readonly") {
		t.Errorf("the challenge of a face: %s", challenge)
	}
	for _, bad := range []sdk.Auth{{}, {Verifier: verifier(t, a).Verifier, Servers: []string{a.URL}}, {Verifier: verifier(t, a).Verifier, Resource: "notes"}} {
		if _, err := newNotes().Handler(t.Context(), sdk.Options{}, sdk.HTTPOptions{Auth: &bad}); err == nil {
			t.Errorf("%+v is accepted", bad)
		}
	}
	for _, issuer := range []string{"http://as.example.com", "as.example.com", "https://as.example.com?x"} {
		if _, err := auth.NewIssuer(issuer); err == nil {
			t.Errorf("the issuer %s is accepted", issuer)
		}
	}
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
