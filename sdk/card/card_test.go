package card_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/jptool/jptool/internal/fixture"
	"github.com/jptool/jptool/sdk"
	"github.com/jptool/jptool/sdk/card"
)

var valid = card.Card{Name: "com.example/kettle", URL: "https://tools.example.com/tea/mcp", Token: true}

// The members that a card may have, in the schema v1 of the extension.
var members = []string{"$schema", "name", "version", "description", "title", "websiteUrl", "repository", "icons", "remotes", "_meta"}

func check(t *testing.T, status int, header http.Header, body []byte) {
	t.Helper()
	if status != http.StatusOK || header.Get("Access-Control-Allow-Origin") != "*" || header.Get("Cache-Control") == "" {
		t.Errorf("status %d, header %v", status, header)
	}
	var all map[string]any
	if err := json.Unmarshal(body, &all); err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	switch kind := header.Get("Content-Type"); kind {
	case "application/mcp-server-card+json":
		for name := range all {
			if !slices.Contains(members, name) {
				t.Errorf("the card has %s", name)
			}
		}
		for _, name := range []string{"$schema", "name", "version", "description"} {
			if all[name] == "" || all[name] == nil {
				t.Errorf("the card has no %s", name)
			}
		}
		if strings.Contains(string(body), "echo") || !strings.Contains(string(body), `"supportedProtocolVersions":["2026-07-28"`) {
			t.Errorf("the card is %s", body)
		}
	case "application/ai-catalog+json":
		const want = `{"specVersion":"1.0","entries":[{"identifier":"urn:air:tools.example.com:kettle","displayName":"fixture",` +
			`"type":"application/mcp-server-card+json","url":"https://tools.example.com/tea/mcp/server-card"}]}`
		if string(body) != want {
			t.Errorf("the catalog is %s", body)
		}
	default:
		t.Errorf("the type is %q", kind)
	}
}

func TestHandler(t *testing.T) {
	h, err := card.Use(fixture.NewServer(&fixture.Fixture{}), valid)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/tea/mcp/server-card", "/.well-known/ai-catalog.json"} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		check(t, w.Code, w.Header(), w.Body.Bytes())
		for method, status := range map[string]int{http.MethodHead: 200, http.MethodOptions: 204, http.MethodPost: 405} {
			w := httptest.NewRecorder()
			h.ServeHTTP(w, httptest.NewRequest(method, path, nil))
			if w.Code != status || w.Body.Len() > 0 {
				t.Errorf("%s: status %d, %d bytes", method, w.Code, w.Body.Len())
			}
		}
	}
}

type discard struct{ io.Writer }

func (discard) Close() error { return nil }

// run runs a server with a token over HTTP, and returns its address.
func run(t *testing.T, s *sdk.Server) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte("a-secret-of-some-length"), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	log, w := io.Pipe()
	ended := make(chan int, 1)
	go func() {
		ended <- s.Run(ctx, []string{"--http", "127.0.0.1:0", "--http-token-file", file},
			&sdk.Streams{In: http.NoBody, Out: discard{io.Discard}, Err: w})
		w.Close()
	}()
	t.Cleanup(func() {
		cancel()
		<-ended
	})
	for lines := bufio.NewScanner(log); lines.Scan(); {
		if m := regexp.MustCompile(`url=(http://\S+)/mcp`).FindStringSubmatch(lines.Text()); m != nil {
			go io.Copy(io.Discard, log)
			return m[1]
		}
	}
	t.Fatal("the server does not serve")
	return ""
}

// A server serves the card without a token, and none unless it is asked to.
func TestServed(t *testing.T) {
	with, without := fixture.NewServer(&fixture.Fixture{}), fixture.NewServer(&fixture.Fixture{})
	if _, err := card.Use(with, valid); err != nil {
		t.Fatal(err)
	}
	on, off := run(t, with), run(t, without)
	for _, path := range []string{"/mcp/server-card", "/.well-known/ai-catalog.json"} {
		resp, err := http.Get(on + path)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		check(t, resp.StatusCode, resp.Header, body)
		resp, err = http.Get(off + path)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != http.StatusNotFound {
			t.Errorf("without a card, %s has status %d", path, resp.StatusCode)
		}
	}
}

func TestInvalid(t *testing.T) {
	for want, change := range map[string]func(*card.Card){
		`name "kettle" must be a domain`:           func(c *card.Card) { c.Name = "kettle" },
		`URL "/mcp" must be that of MCP`:           func(c *card.Card) { c.URL = "/mcp" },
		`URL "https://u:xxxxx@x/mcp" must be that`: func(c *card.Card) { c.URL = "https://u:p@x/mcp" },
		`the description must have 1 to 100`:       func(c *card.Card) { c.Description = strings.Repeat("x", 101) },
	} {
		c := valid
		change(&c)
		s := fixture.NewServer(&fixture.Fixture{})
		if _, err := card.Use(s, c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
		var said strings.Builder
		status := s.Run(t.Context(), nil, &sdk.Streams{In: http.NoBody, Out: discard{io.Discard}, Err: &said})
		if status != sdk.ExitUsage || !strings.Contains(said.String(), want) {
			t.Errorf("status %d: %s", status, said.String())
		}
	}
}
