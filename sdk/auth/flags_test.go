package auth_test

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/jptool/jptool/sdk"
	"github.com/jptool/jptool/sdk/auth"
)

// One line in main makes a hosted server of any server.
func TestFlags(t *testing.T) {
	file := t.TempDir() + "/tokens"
	write(t, file, "alice sixteen-letters-or-more notes:read\n")
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"--http", "127.0.0.1:0", "--auth-issuer", "https://as.example.com"}, "--auth-issuer requires --auth-audience"},
		{[]string{"--http", "127.0.0.1:0", "--auth-audience", "https://x.example.com"}, "--auth-audience requires --auth-issuer"},
		{[]string{"--http", "127.0.0.1:0", "--auth-issuer", "http://as.example.com", "--auth-audience", "x"}, `the issuer "http://as.example.com"`},
		{[]string{"--http", "127.0.0.1:0", "--auth-tokens", file + ".missing"}, "--auth-tokens: open "},
		{[]string{"--auth-tokens", file}, "require --http"},
		{[]string{"--http", "127.0.0.1:0", "--auth-tokens", file, "--http-token-file", file}, "cannot be combined"},
	} {
		stderr := new(strings.Builder)
		status := auth.Flags(newNotes()).Run(t.Context(), tt.args, &sdk.Streams{In: http.NoBody, Out: discard{}, Err: stderr})
		if status != sdk.ExitUsage || !strings.Contains(stderr.String(), tt.want) {
			t.Errorf("%v: status %d, %s, want %s", tt.args, status, stderr, tt.want)
		}
	}
	t.Setenv("NOTES_AUTH_TOKENS", file)
	ctx, stop := context.WithCancel(t.Context())
	log, to := io.Pipe()
	ended := make(chan int)
	go func() {
		ended <- auth.Flags(newNotes()).Run(ctx, []string{"--http", "127.0.0.1:0", "--caller-rate", "1"}, &sdk.Streams{In: http.NoBody, Out: discard{}, Err: to})
	}()
	lines, url := bufio.NewScanner(log), ""
	for url == "" && lines.Scan() {
		if found := regexp.MustCompile(`url=(\S+)`).FindStringSubmatch(lines.Text()); found != nil {
			url = found[1]
		}
	}
	go func() { _, _ = io.Copy(io.Discard, log) }()
	for token, want := range map[string]int{"": 401, "Bearer sixteen-letters-or-more": 200, "Bearer other-letters-and-more": 401} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url+"/readonly", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}}`))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		if token != "" {
			r.Header.Set("Authorization", token)
		}
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != want {
			t.Errorf("token %q: %s, want %d", token, resp.Status, want)
		}
	}
	stop()
	if status := <-ended; status != sdk.ExitOK {
		t.Errorf("status %d", status)
	}
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }
func (discard) Close() error                { return nil }
