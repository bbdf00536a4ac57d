package auth_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/jptool/jptool/sdk"
	"github.com/jptool/jptool/sdk/auth"
	"github.com/jptool/jptool/sdk/card"
	"github.com/jptool/jptool/sdk/metrics"
)

// serve runs a server with metrics, a card and a route below the path of MCP over HTTP, and returns its address.
func serve(t *testing.T, flags ...string) string {
	t.Helper()
	s := auth.Flags(newNotes())
	metrics.Use(s)
	if _, err := card.Use(s, card.Card{Name: "com.example/notes", URL: resource}); err != nil {
		t.Fatal(err)
	}
	s.Route("/mcp/extra", false, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "extra")
	}))
	ctx, stop := context.WithCancel(t.Context())
	log, to := io.Pipe()
	ended := make(chan int, 1)
	go func() {
		ended <- s.Run(ctx, append([]string{"--http", "127.0.0.1:0"}, flags...),
			&sdk.Streams{In: http.NoBody, Out: discard{}, Err: to})
		to.Close()
	}()
	t.Cleanup(func() {
		stop()
		if status := <-ended; status != sdk.ExitOK {
			t.Errorf("the server ended with status %d", status)
		}
	})
	for lines := bufio.NewScanner(log); lines.Scan(); {
		if found := regexp.MustCompile(`url=(http://\S+)/mcp`).FindStringSubmatch(lines.Text()); found != nil {
			go io.Copy(io.Discard, log)
			return found[1]
		}
	}
	t.Fatal("the server does not serve")
	return ""
}

// get requests a URL with some values of the Authorization header.
func get(t *testing.T, url string, authorization ...string) (status int, challenge, body string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(authorization) > 0 {
		r.Header["Authorization"] = authorization
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	return read(resp)
}

// Paths beside that of MCP need the same credentials as MCP, in each way to authenticate callers, and public ones none.
func TestRoutes(t *testing.T) {
	a, other := newAuthority(t), newAuthority(t)
	file, shared := t.TempDir()+"/tokens", t.TempDir()+"/token"
	const static, token = "Bearer sixteen-letters-or-more", "Bearer a-secret-of-some-length"
	write(t, file, "alice sixteen-letters-or-more\n")
	write(t, shared, "a-secret-of-some-length\n")
	own := "Bearer " + a.token(t, nil)
	wrong := []string{
		"", "Bearer", "Bearer ", "Basic YTpi", "Bearer wrong-letters-and-more",
		"Bearer " + other.token(t, map[string]any{"iss": a.URL}),
		"Bearer " + a.token(t, map[string]any{"exp": time.Now().Add(-time.Minute).Unix()}),
		"Bearer " + a.token(t, map[string]any{"aud": "https://other.example.com/mcp"}),
		"Bearer " + a.token(t, map[string]any{"aud": resource + "/readonly"}),
		"Bearer " + a.token(t, map[string]any{"aud": resource + "/extra"}),
	}
	for name, tt := range map[string]struct{ flags, valid, wrong []string }{
		"token":  {[]string{"--http-token-file", shared}, []string{token}, append(wrong, static, own)},
		"tokens": {[]string{"--auth-tokens", file}, []string{static}, append(wrong, token, own)},
		"issuer": {
			[]string{"--auth-issuer", a.URL, "--auth-audience", resource}, []string{own}, append(wrong, static, token),
		},
		"issuer and tokens": {
			[]string{"--auth-issuer", a.URL, "--auth-audience", resource, "--auth-tokens", file},
			[]string{own, static}, append(wrong, token),
		},
	} {
		t.Run(name, func(t *testing.T) {
			address := serve(t, tt.flags...)
			for path, want := range map[string]string{"/metrics": "go_goroutines", "/mcp/extra": "extra"} {
				refuses := func(authorization ...string) {
					status, challenge, body := get(t, address+path, authorization...)
					if status != 401 || !strings.HasPrefix(challenge, "Bearer") || strings.Contains(body, want) {
						t.Errorf("%s with %q: %d %s %.100s", path, authorization, status, challenge, body)
					}
				}
				refuses()
				for _, one := range tt.wrong {
					refuses(one)
				}
				for _, one := range tt.valid {
					if status, _, body := get(t, address+path, one, "Bearer x"); status == 200 || strings.Contains(body, want) {
						t.Errorf("%s with two tokens: %d %.100s", path, status, body)
					}
					if status, _, body := get(t, address+path, one); status != 200 || !strings.Contains(body, want) {
						t.Errorf("%s with %q: %d %.100s", path, one, status, body)
					}
				}
			}
			for _, path := range []string{"/mcp/server-card", "/.well-known/ai-catalog.json"} {
				if status, _, body := get(t, address+path); status != 200 || !strings.Contains(body, "notes") {
					t.Errorf("%s: %d %s", path, status, body)
				}
			}
		})
	}
}

// The challenge of a path beside that of MCP leads to the metadata of the server.
func TestChallengeOfRoute(t *testing.T) {
	a := newAuthority(t)
	address := serve(t, "--auth-issuer", a.URL, "--auth-audience", resource)
	for _, path := range []string{"/metrics", "/mcp/extra", "/mcp"} {
		_, challenge, _ := get(t, address+path)
		found := regexp.MustCompile(`resource_metadata="([^"]+)"`).FindStringSubmatch(challenge)
		if found == nil {
			t.Errorf("%s: %s", path, challenge)
			continue
		}
		at, err := url.Parse(found[1])
		if err != nil {
			t.Fatal(err)
		}
		status, _, body := get(t, address+at.Path)
		var metadata struct{ Resource string }
		if err := json.Unmarshal([]byte(body), &metadata); status != 200 || err != nil || metadata.Resource != resource {
			t.Errorf("%s: the metadata at %s: %d %s", path, at.Path, status, body)
		}
	}
}
