package sdk_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/jptool/jptool/internal/fixture"
	"github.com/jptool/jptool/sdk"
	"github.com/jptool/jptool/sdk/gosdk"
)

// mount serves the fixture's handler below a path of the program's own TLS server.
func mount(t *testing.T, ctx context.Context, o sdk.Options, h sdk.HTTPOptions) (service, *http.Client) {
	t.Helper()
	handler, err := fixture.NewServer(&fixture.Fixture{}).Handler(ctx, o, h)
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/tools/fixture", handler)
	server := httptest.NewTLSServer(mux)
	t.Cleanup(server.Close)
	return service{url: server.URL + "/tools/fixture"}, server.Client()
}

// rpc sends a request that uses version 2026-07-28 and returns the response.
func rpc(t *testing.T, client *http.Client, url, method string, header ...string) (*http.Response, string) {
	t.Helper()
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":{"_meta":%s}}`, method, modernMeta)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i, pairs := 0, append([]string{"Content-Type", "application/json", "Accept", "application/json, text/event-stream",
		"Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", method}, header...); i < len(pairs); i += 2 {
		req.Header.Set(pairs[i], pairs[i+1])
	}
	req.Host = req.Header.Get("Host")
	resp, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, string(data)
}

func TestHandlerBelowAPathWithTLS(t *testing.T) {
	s, client := mount(t, t.Context(), sdk.Options{}, sdk.HTTPOptions{Token: "a-secret-of-some-length"})
	resp, _ := rpc(t, client, s.url, "tools/list")
	if resp.StatusCode != http.StatusUnauthorized || resp.Header.Get("WWW-Authenticate") != "Bearer" {
		t.Errorf("without the token: %s %v", resp.Status, resp.Header)
	}
	resp, body := rpc(t, client, s.url, "tools/list", "Authorization", "Bearer a-secret-of-some-length")
	if resp.StatusCode != http.StatusOK || !strings.Contains(body, `"cacheScope":"private"`) || !strings.Contains(body, `"name":"order"`) {
		t.Errorf("with the token: %s %.300s", resp.Status, body)
	}
}

func TestSessionsBelongToPrincipals(t *testing.T) {
	who := func(r *http.Request) string { return r.Header.Get("X-User") }
	s, client := mount(t, t.Context(), sdk.Options{}, sdk.HTTPOptions{Principal: who})
	open := func(user string) string {
		req, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, s.url, strings.NewReader(
			`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`))
		req.Header = http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"}, "X-User": {user}}
		resp, err := client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		return resp.Header.Get("Mcp-Session-Id")
	}
	id := open("ann")
	if id == "" {
		t.Fatal("no session is open")
	}
	for user, want := range map[string]int{"ann": http.StatusNoContent, "bob": http.StatusNotFound} {
		if user == "ann" {
			defer func() {
				if got := end(t, client, s.url, id, user); got != want {
					t.Errorf("%s ends the session: status %d, want %d", user, got, want)
				}
			}()
			continue
		}
		if got := end(t, client, s.url, id, user); got != want {
			t.Errorf("%s ends the session: status %d, want %d", user, got, want)
		}
	}
}

// go-sdk's middleware for bearer tokens identifies the callers, for sessions and for the program's own middleware.
// If no function returns the principal, or the tokens have no user, the handler logs one warning.
func TestCallersOfGoSDKsMiddleware(t *testing.T) {
	verify := func(_ context.Context, token string, _ *http.Request) (*auth.TokenInfo, error) {
		return &auth.TokenInfo{UserID: token, Expiration: time.Now().Add(time.Hour)}, nil
	}
	anonymous := func(_ context.Context, _ string, _ *http.Request) (*auth.TokenInfo, error) {
		return &auth.TokenInfo{Expiration: time.Now().Add(time.Hour)}, nil
	}
	login := auth.RequireBearerToken(verify, nil)
	for name, tc := range map[string]struct {
		login    func(http.Handler) http.Handler
		options  sdk.HTTPOptions
		user     string // as the program's middleware sees it
		stranger int    // the status with which another caller ends the session
		warnings int
	}{
		"gosdk.Principal":       {login, sdk.HTTPOptions{Principal: gosdk.Principal}, "ann", http.StatusNotFound, 0},
		"tokens without a user": {auth.RequireBearerToken(anonymous, nil), sdk.HTTPOptions{Principal: gosdk.Principal}, "", http.StatusNoContent, 1},
		"no principal":          {login, sdk.HTTPOptions{}, "ann", http.StatusNoContent, 1},
		"the server's token":    {func(h http.Handler) http.Handler { return h }, sdk.HTTPOptions{Token: "ann"}, "token ", http.StatusUnauthorized, 0},
	} {
		t.Run(name, func(t *testing.T) {
			var log lockedBuffer
			users := make(chan string, 1)
			server := fixture.NewServer(&fixture.Fixture{})
			gosdk.Server(server).AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
				return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
					if method == "tools/call" {
						users <- req.GetExtra().TokenInfo.UserID
					}
					return next(ctx, method, req)
				}
			})
			h, err := server.Handler(t.Context(), sdk.Options{Log: slog.New(slog.NewTextHandler(&log, nil))}, tc.options)
			if err != nil {
				t.Fatal(err)
			}
			front := httptest.NewServer(tc.login(h))
			defer front.Close()
			s := service{url: front.URL}
			as := func(user string, header ...string) []string {
				return append([]string{"Authorization", "Bearer " + user, "Mcp-Protocol-Version", "2025-11-25"}, header...)
			}
			resp, err := s.client().Do(s.request(t.Context(), t, fmt.Sprintf(opening, ""), as("ann")...))
			if err != nil {
				t.Fatal(err)
			}
			resp.Body.Close()
			session := resp.Header.Get("Mcp-Session-Id")
			if status, body := s.post(t, callOf(1, "names", "{}"), as("ann", "Mcp-Session-Id", session)...); status != http.StatusOK || !strings.HasPrefix(<-users, tc.user) {
				t.Errorf("a call: %d %s", status, body)
			}
			if status, _ := s.send(t, http.MethodDelete, session, as("bob")...); status != tc.stranger {
				t.Errorf("another caller ends the session: status %d, want %d", status, tc.stranger)
			}
			if got := strings.Count(log.String(), "set sdk.HTTPOptions.Principal"); got != tc.warnings {
				t.Errorf("%d warnings, want %d: %s", got, tc.warnings, &log)
			}
		})
	}
}

// end ends a session as a user.
func end(t *testing.T, client *http.Client, url, id, user string) int {
	t.Helper()
	req, err := http.NewRequest(http.MethodDelete, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header = http.Header{"Mcp-Session-Id": {id}, "X-User": {user}}
	resp, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	return resp.StatusCode
}

// Only pages from a listed origin can call the server, after their browser's preflight request.
func TestAllowedOrigins(t *testing.T) {
	const origin = "https://app.example.com"
	s := serve(t, nil, "--http-origin", origin)
	for _, from := range []string{origin, "https://evil.example"} {
		req, err := http.NewRequest(http.MethodOptions, s.url, nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header = http.Header{
			"Origin": {from}, "Access-Control-Request-Method": {"POST"},
			"Access-Control-Request-Headers": {"authorization,content-type,mcp-method,mcp-param-city,mcp-protocol-version"},
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		allowed := resp.Header.Get("Access-Control-Allow-Origin") == from && strings.Contains(resp.Header.Get("Access-Control-Allow-Headers"), "mcp-param-city")
		if allowed != (from == origin) {
			t.Errorf("preflight from %s: %s %v", from, resp.Status, resp.Header)
		}
		resp, body := rpc(t, http.DefaultClient, s.url, "tools/list", "Origin", from, "Sec-Fetch-Site", "cross-site")
		readable := resp.StatusCode == http.StatusOK && resp.Header.Get("Access-Control-Allow-Origin") == from && strings.Contains(resp.Header.Get("Access-Control-Expose-Headers"), "Mcp-Session-Id")
		if readable != (from == origin) {
			t.Errorf("a call from %s: %s %v %.200s", from, resp.Status, resp.Header, body)
		}
	}
}

// A proxy addresses the server by the host name that its own clients use.
func TestHostNames(t *testing.T) {
	s := serve(t, nil, "--http-host", "tools.example.com")
	for host, want := range map[string]int{"tools.example.com": http.StatusOK, "TOOLS.example.com:443": http.StatusOK, "evil.example": http.StatusForbidden} {
		if resp, body := rpc(t, http.DefaultClient, s.url, "tools/list", "Host", host); resp.StatusCode != want {
			t.Errorf("Host %s: %s %.200s", host, resp.Status, body)
		}
	}
}

func TestUnixSocket(t *testing.T) {
	dir, err := os.MkdirTemp("", "jp") // paths of sockets must be short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	path := filepath.Join(dir, "s")
	// A killed process leaves its socket file behind.
	left, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	left.SetUnlinkOnClose(false)
	left.Close()
	client := &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", path)
	}}}
	ctx, end := context.WithCancel(t.Context())
	r, w := io.Pipe()
	status := make(chan int, 1)
	go func() {
		status <- fixture.NewServer(&fixture.Fixture{}).Run(ctx, []string{"--http", "unix:" + path}, &sdk.Streams{In: io.NopCloser(strings.NewReader("")), Out: w, Err: w})
		w.Close()
	}()
	if _, err := r.Read(make([]byte, 4096)); err != nil { // the line with the address
		t.Fatal(err)
	}
	go io.Copy(io.Discard, r)
	if resp, body := rpc(t, client, "http://tools.example.com/mcp", "tools/list"); resp.StatusCode != http.StatusOK {
		t.Errorf("%s %.200s", resp.Status, body)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o660 {
		t.Errorf("the socket: %v, %v", info.Mode(), err)
	}
	if _, stderr, status := run(t, nil, "--http", "unix:"+path); status != sdk.ExitError || !strings.Contains(stderr, "another process is already listening") {
		t.Errorf("a second process: status %d, %s", status, stderr)
	}
	end()
	if got := <-status; got != sdk.ExitOK {
		t.Errorf("status %d", got)
	}
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("the socket is left behind: %v", err)
	}
}

func TestHandlerOptionsThatAreRefused(t *testing.T) {
	for _, tc := range []struct {
		o    sdk.Options
		h    sdk.HTTPOptions
		want string
	}{
		{h: sdk.HTTPOptions{Hosts: []string{"tools.example.com:443"}}, want: "without a port"},
		{h: sdk.HTTPOptions{Origins: []string{"*"}}, want: "must consist of a scheme"},
		{h: sdk.HTTPOptions{Origins: []string{"https://app.example.com/page"}}, want: "must consist of a scheme"},
		{o: sdk.Options{JP: "outcome"}, want: "--http-trust-caller"},
	} {
		h, err := fixture.NewServer(&fixture.Fixture{}).Handler(t.Context(), tc.o, tc.h)
		if h != nil || err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%+v %+v: %v, want %q", tc.o, tc.h, err, tc.want)
		}
	}
}

// When its context is done, a handler answers the pending requests and accepts no others.
func TestHandlerEnds(t *testing.T) {
	ctx, end := context.WithCancel(t.Context())
	f := &fixture.Fixture{Started: make(chan string)}
	handler, err := fixture.NewServer(f).Handler(ctx, sdk.Options{}, sdk.HTTPOptions{})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(handler)
	defer server.Close()
	go func() {
		<-f.Started
		end()
	}()
	s := service{url: server.URL}
	status, body := s.post(t, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"wait","arguments":{},"_meta":`+modernMeta+`}}`,
		"MCP-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", "wait")
	if status != http.StatusOK || !strings.Contains(string(body), "canceled") {
		t.Errorf("the call is answered %d %s", status, body)
	}
	if resp, body := rpc(t, server.Client(), server.URL, "tools/list"); !strings.Contains(body, "-32") {
		t.Errorf("after the end: %s %s", resp.Status, body)
	}
}
