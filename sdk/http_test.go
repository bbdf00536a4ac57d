package sdk_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/jptool/jptool/sdk"
)

// A service is a server process that serves HTTP.
type service struct {
	url       string            // a URL or the path of a socket
	transport http.RoundTripper // nil means the default transport
	stop      func()
	cmd       *exec.Cmd
}

var listening = regexp.MustCompile(`(?:url|socket)=(\S+)`)

// client returns an HTTP client for the service.
func (s service) client() *http.Client {
	return &http.Client{Transport: s.transport, Timeout: 10 * time.Second}
}

// serve starts the server over HTTP and waits until it prints its address.
func serve(t *testing.T, env []string, args ...string) service {
	t.Helper()
	cmd := command(t, append([]string{"--http", "127.0.0.1:0"}, args...)...)
	cmd.Env = append(cmd.Env, env...)
	s, stderr := serveUnread(t, cmd)
	go io.Copy(io.Discard, stderr)
	return s
}

// serveUnread starts a command that serves HTTP. The rest of its log is not read.
func serveUnread(t *testing.T, cmd *exec.Cmd) (s service, stderr io.ReadCloser) {
	t.Helper()
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	stop := func() {
		cmd.Process.Kill()
		cmd.Wait()
	}
	t.Cleanup(stop)
	var said []byte
	for buffer := make([]byte, 4096); ; {
		n, err := stderr.Read(buffer)
		said = append(said, buffer[:n]...)
		if m := listening.FindSubmatch(said); m != nil && bytes.Contains(said, []byte("\n")) {
			return service{url: string(m[1]), stop: stop, cmd: cmd}, stderr
		}
		if err != nil {
			t.Fatalf("the server does not serve: %s", said)
		}
	}
}

// request returns a POST request with a message.
func (s service) request(ctx context.Context, t *testing.T, body string, header ...string) *http.Request {
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
		if header[i] == "Host" {
			req.Host = header[i+1]
		}
	}
	return req
}

// post sends a request and returns the status and the JSON of the response, which may be the data of an
// event.
func (s service) post(t *testing.T, body string, header ...string) (int, []byte) {
	t.Helper()
	resp, err := s.client().Do(s.request(t.Context(), t, body, header...))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(data) {
		if event, ok := bytes.CutPrefix(line, []byte("data: ")); ok && len(bytes.TrimSpace(event)) > 0 {
			data = bytes.TrimSpace(event)
		}
	}
	return resp.StatusCode, data
}

// round sends one round of a call with the newest version.
func (s service) round(t *testing.T, tool, arguments, state, responses string) (round, result) {
	t.Helper()
	extra := ""
	if state != "" {
		extra = fmt.Sprintf(`,"requestState":%q,"inputResponses":%s`, state, responses)
	}
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s,"_meta":%s%s}}`, tool, arguments, modernMeta, extra)
	status, data := s.post(t, body, "MCP-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", tool)
	var asked struct{ Result round }
	var r response
	if json.Unmarshal(data, &asked) != nil || json.Unmarshal(data, &r) != nil || status != http.StatusOK || r.Error != nil {
		t.Fatalf("status %d: %s", status, data)
	}
	return asked.Result, r.Result
}

// overHTTP runs a scenario, with its requests sent to several services in turn.
func overHTTP(t *testing.T, s scenario, services ...service) ending {
	state, responses := "", ""
	for asked := 0; ; asked++ {
		r, end := services[asked%len(services)].round(t, s.tool, s.arguments, state, responses)
		if r.Type == "complete" {
			return end.ending(asked)
		}
		for id, ask := range r.InputRequests {
			state, responses = r.State, fmt.Sprintf(`{%q:%s}`, id, s.next(t, asked, id, ask.Params.Message))
		}
	}
}

func sharedKeys() []string {
	return []string{"JPTOOL_STATE_KEYS=" + base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{9}, 32))}
}

func TestTwoInstancesTakeTurns(t *testing.T) {
	one, two := serve(t, sharedKeys()), serve(t, sharedKeys())
	for _, s := range scenarios {
		s = s.again(true)
		if got, want := overHTTP(t, s, one, two), (ending{s.text, s.code, len(s.steps)}); s.tool != "draft" && got != want {
			t.Errorf("%s ended with %+v, want %+v", s.name, got, want)
		}
	}
}

func TestAnotherInstanceFinishesTheCall(t *testing.T) {
	one, two := serve(t, sharedKeys()), serve(t, sharedKeys())
	r, _ := one.round(t, "stage", `{"hunks":["a"]}`, "", "")
	one.stop()
	_, end := two.round(t, "stage", `{ "hunks" : ["a"] }`, r.State, `{"stage-a":{"action":"accept","content":{"answer":true}}}`)
	if end.text() != "staged a" {
		t.Errorf("the other instance ended with %+v", end)
	}
}

func TestInstancesWithoutSharedKeys(t *testing.T) {
	one, two := serve(t, nil), serve(t, nil)
	r, _ := one.round(t, "stage", `{"hunks":["a"]}`, "", "")
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"stage","arguments":{"hunks":["a"]},"_meta":%s,"requestState":%q,"inputResponses":%s}}`,
		modernMeta, r.State, accepted)
	status, data := two.post(t, body, "MCP-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", "stage")
	var end response
	if err := json.Unmarshal(data, &end); err != nil || status != http.StatusBadRequest || end.Error == nil || end.Error.Code != -32602 {
		t.Errorf("status %d: %s", status, data)
	}
}

func TestRejectedHTTPRequests(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(secret, []byte("a-secret-of-some-length\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	open, guarded := serve(t, nil), serve(t, nil, "--http-token-file", secret)
	const list = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":` + modernMeta + `}}`
	version := []string{"MCP-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/list"}
	for _, tc := range []struct {
		name   string
		to     service
		header []string
		want   int
	}{
		{"a page of another origin", open, []string{"Origin", "https://evil.example", "Sec-Fetch-Site", "cross-site"}, http.StatusForbidden},
		{"an origin without fetch metadata", open, []string{"Origin", "https://evil.example"}, http.StatusForbidden},
		{"another host by the same address", open, []string{"Host", "evil.example"}, http.StatusForbidden},
		{"no token", guarded, nil, http.StatusUnauthorized},
		{"a wrong token", guarded, []string{"Authorization", "Bearer a-secret-of-some-lengtH"}, http.StatusUnauthorized},
		{"the token in another scheme", guarded, []string{"Authorization", "Basic a-secret-of-some-length"}, http.StatusUnauthorized},
		{"the token without a scheme", guarded, []string{"Authorization", "a-secret-of-some-length"}, http.StatusUnauthorized},
		{"a scheme without a token", guarded, []string{"Authorization", "Bearer"}, http.StatusUnauthorized},
		{"the token", guarded, []string{"Authorization", "Bearer a-secret-of-some-length"}, http.StatusOK},
		{"the token with the scheme in lower case", guarded, []string{"Authorization", "bearer  a-secret-of-some-length"}, http.StatusOK},
		{"nothing special", open, nil, http.StatusOK},
	} {
		if status, body := tc.to.post(t, list, append(version, tc.header...)...); status != tc.want || !json.Valid(body) {
			t.Errorf("%s: status %d, want %d: %.200s", tc.name, status, tc.want, body)
		}
	}
	for _, path := range []string{"/", "/mcp//", "//mcp", "/MCP"} {
		other := service{url: strings.TrimSuffix(open.url, "/mcp") + path}
		if status, body := other.post(t, list, version...); status != http.StatusNotFound || !strings.Contains(string(body), `"code":-32600`) {
			t.Errorf("path %s: %d %s", path, status, body)
		}
	}
}

// go-sdk's results for a caller with a token must not be cached for other callers.
func TestResultsForATokenArePrivate(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(secret, []byte("a-secret-of-some-length\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	conformance := []string{"JPTOOL_TEST_SERVER=conformance"}
	for scope, s := range map[string]service{"public": serve(t, conformance), "private": serve(t, conformance, "--http-token-file", secret)} {
		for method, uri := range map[string]string{"tools/list": "", "prompts/list": "", "resources/list": "", "resources/templates/list": "", "resources/read": "test://static-text"} {
			body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":{"uri":%q,"_meta":%s}}`, method, uri, modernMeta)
			status, data := s.post(t, body, "MCP-Protocol-Version", "2026-07-28", "Mcp-Method", method, "Mcp-Name", uri, "Authorization", "Bearer a-secret-of-some-length")
			if status != http.StatusOK || !strings.Contains(string(data), `"cacheScope":"`+scope+`"`) {
				t.Errorf("%s, %s: %d %.300s", scope, method, status, data)
			}
		}
	}
}

func TestMismatchedHTTPVersions(t *testing.T) {
	s := serve(t, nil)
	for _, tc := range []struct {
		name, header, meta string
		code               int
	}{
		{"the message has an older version", "2026-07-28", "2025-11-25", -32020},
		{"the header has an older version", "2025-11-25", "2026-07-28", -32020},
		{"the message has an unknown version", "2026-07-28", "v999.0.0", -32020},
		{"the header has an unknown version", "v999.0.0", "2026-07-28", -32022},
		{"both have the same unknown version", "v999.0.0", "v999.0.0", -32022},
	} {
		body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":%q}}}`, tc.meta)
		status, data := s.post(t, body, "MCP-Protocol-Version", tc.header, "Mcp-Method", "server/discover")
		if want := fmt.Sprintf(`"code":%d`, tc.code); status != http.StatusBadRequest || !strings.Contains(string(data), want) {
			t.Errorf("%s: status %d, want 400 and %s: %.200s", tc.name, status, want, data)
		}
	}
}

func TestHTTPFlagsThatAreRefused(t *testing.T) {
	short := filepath.Join(t.TempDir(), "short")
	if err := os.WriteFile(short, []byte("hunter2"), 0o600); err != nil {
		t.Fatal(err)
	}
	endless := "/dev/zero"
	if _, err := os.Stat(endless); err != nil {
		endless = short // this system has no endless file
	}
	for _, tc := range []struct {
		args []string
		env  string
		want string
	}{
		{args: []string{"--http", "8080"}, want: "HOST:PORT"},
		{args: []string{"--http", "0.0.0.0:0"}, want: "--http-token-file"},
		{args: []string{"--http", "192.0.2.1:0"}, want: "not a loopback address"},
		{args: []string{"--http", "127.0.0.1:0", "--http-token-file", short}, want: "16 to 4096"},
		{args: []string{"--http", "127.0.0.1:0", "--http-token-file", short + "er"}, want: "no such file"},
		{args: []string{"--http", "127.0.0.1:0", "--http-token-file", endless}, want: "16 to 4096"},
		{args: []string{"--http-token-file", short}, want: "requires --http"},
		{args: []string{"--http-stateless"}, want: "requires --http"},
		{args: []string{"--http", "127.0.0.1:0", "--http-host", "a b"}, want: `error: --http-host "a b" must be a name`},
		{args: []string{"--http", "127.0.0.1:0", "--http-origin", "x"}, want: `error: --http-origin "x" must consist of`},
		{env: "JPTOOL_STATE_KEYS=aHVudGVyMg==", want: "JPTOOL_STATE_KEYS: key 1 has 7 bytes"},
	} {
		stdout, stderr, status := run(t, []string{tc.env}, tc.args...)
		if status != sdk.ExitUsage || !strings.Contains(stderr, tc.want) || strings.Contains(stderr+stdout, "hunter2") || strings.Contains(stderr, "aHVudGVy") {
			t.Errorf("%v %s: status %d, %q, want %q", tc.args, tc.env, status, stderr, tc.want)
		}
	}
}
