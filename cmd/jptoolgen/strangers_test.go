package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/cli"
)

// jptoolgen runs a command line, and checks that its output is safe for any terminal.
func jptoolgen(t *testing.T, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var out, errs bytes.Buffer
	status = cli.Run(ctx, cli.Env{Dir: t.TempDir(), Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs}, args)
	if ctx.Err() != nil {
		t.Error("the command hangs")
	}
	for _, text := range []string{out.String(), errs.String()} {
		if len(text) > 100<<10 {
			t.Errorf("the output has %d bytes", len(text))
		}
		isSafe(t, text)
	}
	return status, out.String(), errs.String()
}

// isSafe fails the test if text has characters that control a terminal or that are invisible.
func isSafe(t *testing.T, text string) {
	t.Helper()
	bad := func(r rune) bool {
		return unicode.IsControl(r) && r != '\n' || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Variation_Selector) || r == '\uFFFD'
	}
	if i := strings.IndexFunc(text, bad); i >= 0 {
		t.Errorf("unsafe output: %q", text[max(0, i-20):min(len(text), i+20)])
	}
}

// Files that contain text from a server are safe as well.
func TestFilesOfHostileServers(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("HOME", dir)
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(dir, "config"))
	for _, manner := range []string{"terminal escapes", "hidden text"} {
		for _, command := range []string{
			"lock -o " + dir + "/lock.json", "docs -o " + dir + "/docs.md", "client -o " + dir + "/client.go", "profile create --force books -",
			"config codex --write --name books --replace", "config zed --write --name books --replace",
		} {
			words := append(strings.Fields(command), "--", "hostile", manner)
			if status, _, stderr := jptoolgen(t, words...); status != 0 {
				t.Errorf("%q: status %d, %s", words, status, stderr)
			}
		}
		status, _, stderr := jptoolgen(t, "config", "codex", "--", "hostile", manner)
		if want := `server name "hostile\x1b]0;owned\a" cannot be the name of an entry in the configuration; add --name NAME`; status != 2 || !strings.Contains(stderr, want) {
			t.Errorf("status %d, %s; want %s", status, stderr, want)
		}
	}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		isSafe(t, strings.ReplaceAll(string(text), "\t", ""))
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// A server cannot block the client, or flood or color its terminal.
func TestHostileServers(t *testing.T) {
	for _, tc := range []struct {
		manner string
		call   bool // call a tool instead of inspecting the server
		status int
		want   string // on standard output if the status is 0, or else on standard error
	}{
		{"endless line", false, 2, "a message of more than 16 MiB"},
		{"endless lines", false, 2, "more than 64 MiB without a response"},
		{"floods with notifications", false, 2, "more than 64 MiB without a response"},
		{"large list", false, 2, "a message of more than 16 MiB"},
		{"large pages", false, 2, "more than 4 MiB in all lists"},
		{"large schema", false, 2, "more than 4 MiB in all lists"},
		{"large tool", false, 0, "1 tool\n"},
		{"large tool", true, 0, "well"},
		{"large lists", false, 2, "prompts/list: the server sent too much data: more than 4 MiB in all lists"},
		{"large handshake", false, 2, "a handshake of more than 1 MiB"},
		{"long names", false, 0, "x…  object\n"},
		{"wide indents", false, 0, "a a a"},
		{"endless pages", false, 2, "more than 200 pages"},
		{"page after itself", false, 2, "the cursor of the next page is the same as that of the current page"},
		{"many tools", false, 2, "more than 10000"},
		{"nests", false, 2, "a message with more than 128 levels of nesting"},
		{"terminal escapes", false, 0, "click\n"},
		{"hidden text", false, 0, `Reads a note.\u{e0045}\u{e0056} \u{200b}Then` + strings.Repeat("\u0301", 4) + `\u{301}\u{301}.`},
		{"hidden text", true, 0, `it\u{2066} is\u{feff}`},
		{"never answers", false, 2, "did not respond within 1s"},
		{"speaks the future", false, 2, `supports "2999-01-01"`},
		{"long error", false, 2, "a very long story"},
		{"repeats a name", false, 2, "malformed"},
		{"breaks UTF-8", false, 2, "malformed"},
		{"not a list", false, 2, `"tools" is a string, not a list`},
		{"lying schema", false, 0, "hostile  1 · MCP 2025-11-25 · 3 tools"},
		{"changes", false, 0, "1 tool"},
		{"floods stderr", false, 0, "Does it."},
		{"dies at once", false, 2, "exit status 3"},
		{"never reads", false, 2, "is not reading its input"},
		{"never ends", false, 0, "Does it."},
		{"ignores what it does not know", false, 0, "hostile  1 · MCP 2025-11-25 · 1 tool"},
		{"ends at what it does not know", false, 0, "hostile  1 · MCP 2025-11-25 · 1 tool"},
		{"changes", true, 2, `unknown tool "t" (known: t`},
		{"floods stderr", true, 0, "well"},
		{"never answers a call", true, 2, "did not respond within 1s"},
		{"dies in a call", true, 2, "the last lines of the server's standard error:\npanic: nil"},
		{"wrong ids", true, 2, "it has the id 999, but the request has the id"},
		{"answers twice", true, 0, "well"},
		{"asks forever", true, 2, "it asked questions 100 times in one call"},
		{"asks much at once", true, 2, "it asked questions 100 times in one call"},
		{"elicits forever", true, 2, "it asked questions 100 times in one call"},
		{"reports forever", true, 2, "more than 64 MiB without a response"},
		{"colors a result", true, 0, `red \u{202e}txt`},
		{"odd result", true, 2, "malformed"},
		{"neither result nor error", true, 2, "neither a result nor an error"},
		{"no such manner", true, 0, "well"},
	} {
		// Cases that must time out get a short timeout.
		timeout := "--timeout=50s"
		if strings.Contains(tc.want, "within 1s") || strings.Contains(tc.want, "other messages") {
			timeout = "--timeout=1s"
		}
		words := []string{"inspect", timeout, "--", "hostile", tc.manner}
		if tc.call {
			words = []string{"call", timeout, "--answer=answer=true", "--answer=q=true", "-", "t", "--", "hostile", tc.manner}
		}
		t.Run(words[0]+" "+tc.manner, func(t *testing.T) {
			t.Parallel()
			status, stdout, stderr := jptoolgen(t, words...)
			where := stdout
			if tc.status != 0 {
				where = stderr
			}
			if status != tc.status || !strings.Contains(where, tc.want) {
				t.Errorf("status %d, want %d and %q\n%s\n%s", status, tc.status, tc.want, stdout, stderr)
			}
		})
	}
}

// inspect counts invisible characters, including those that JSON escapes in a schema.
func TestHiddenTextIsCounted(t *testing.T) {
	const want = `note: text from the server contains 12 invisible characters, shown as escapes such as \u{202e}`
	for _, command := range []string{"inspect", "docs", "list"} {
		if status, _, stderr := jptoolgen(t, command, "--", "hostile", "hidden text"); status != 0 || !strings.Contains(stderr, want) {
			t.Errorf("%s: status %d, stderr %s", command, status, stderr)
		}
	}
}

// list reads only the tools, so other lists may be invalid.
func TestListReadsTools(t *testing.T) {
	if status, stdout, stderr := jptoolgen(t, "list", "--", "hostile", "large lists"); status != 0 || stderr != "" {
		t.Errorf("status %d, %s, %s", status, stdout, stderr)
	}
}

func TestResultThatViolatesItsSchema(t *testing.T) {
	status, stdout, stderr := jptoolgen(t, "call", "-", "t", "--", "hostile", "breaks its schema")
	const want = "jptoolgen: note: the result does not match the output schema of the tool: result.n: expected an integer, got the string \"\\x1b[31mmany\"\n"
	if status != 0 || stdout != "well\n" || stderr != want {
		t.Errorf("status %d, %q, %q", status, stdout, stderr)
	}
}

// A result cannot fill a directory.
func TestManySavedFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	status, _, stderr := jptoolgen(t, "call", "--save", dir, "-", "t", "--", "hostile", "many images")
	if want := "--save: the result has 1001 content blocks, but at most 1000 can be saved"; status != 2 || !strings.Contains(stderr, want) {
		t.Errorf("status %d, %s; want %s", status, stderr, want)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("it wrote files")
	}
}

// expectChild returns a channel that receives a connection from a child process of the server.
func expectChild(t *testing.T) <-chan net.Conn {
	t.Helper()
	address, children := listenForChild(t)
	t.Setenv("HOSTILE_ADDRESS", address)
	return children
}

// listenForChild returns the value of HOSTILE_ADDRESS for a child process, and a channel that receives its connection.
func listenForChild(t *testing.T) (string, <-chan net.Conn) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	children := make(chan net.Conn, 1)
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			select {
			case children <- conn:
			case <-t.Context().Done():
				_ = conn.Close()
				return
			}
		}
	}()
	return l.Addr().String(), children
}

// expectEnded fails the test if a child process is still running.
func expectEnded(t *testing.T, child net.Conn) {
	t.Helper()
	if err := child.SetReadDeadline(time.Now().Add(30 * time.Second)); err != nil {
		t.Fatal(err)
	}
	if _, err := child.Read(make([]byte, 1)); !errors.Is(err, io.EOF) && !isReset(err) {
		t.Errorf("the child process is still running: %v", err)
	}
}

// When a server is stopped, its child processes are stopped too.
func TestChildProcessesEnd(t *testing.T) {
	children := expectChild(t)
	out, err := exec.CommandContext(t.Context(), "jptoolgen", "call", "-", "t", "--", "hostile", "leaves a child").CombinedOutput()
	if err != nil || string(out) != "well\n" {
		t.Fatalf("%v: %s", err, out)
	}
	expectEnded(t, <-children)
	out, err = exec.CommandContext(t.Context(), "jptoolgen", "call", "--wire=local", "-", "t", "--", "hostile", "leaves a child").CombinedOutput()
	if err != nil || string(out) != "" {
		t.Fatalf("%v: %s", err, out)
	}
	expectEnded(t, <-children) // the child of the server that listed its tools
	expectEnded(t, <-children) // the child of the server that was called
}

func isReset(err error) bool { return err != nil && strings.Contains(err.Error(), "reset") }

func TestHostileSites(t *testing.T) {
	stream := func(text string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			for r.Context().Err() == nil {
				if _, err := io.WriteString(w, text); err != nil {
					return
				}
			}
		}
	}
	for name, tc := range map[string]struct {
		serve http.HandlerFunc
		want  string
	}{
		"not found":    {http.NotFound, "an MCP server often has a path"},
		"unauthorized": {respondWith(401), "add --header 'Authorization: Bearer ${TOKEN}'"},
		"unauthorized, in JSON": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusUnauthorized)
			_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"log in"}}`)
		}, "add --header 'Authorization: Bearer ${TOKEN}'"},
		"insufficient scope, in JSON": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("WWW-Authenticate", `Bearer error="insufficient_scope", scope="notes:write"`)
			w.WriteHeader(http.StatusForbidden)
			_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"not allowed"}}`)
		}, "log in again with jptoolgen login --scope 'notes:write'"},
		"redirects":      {http.RedirectHandler("https://evil.example/mcp", http.StatusTemporaryRedirect).ServeHTTP, "the server redirects to https://evil.example/mcp; use that URL"},
		"a page":         {func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<html>hello") }, "of type \"text/html\""},
		"endless event":  {stream("data: " + strings.Repeat("x", 4096)), "a message of more than 16 MiB"},
		"endless events": {stream("data: x\n\n"), "more than 64 MiB without a response"},
		"endless blanks": {stream(": " + strings.Repeat("x", 1000) + "\n"), "did not respond within 1s"},
		"endless data":   {stream("data: " + strings.Repeat("x", 4096) + "\n"), "a message of more than 16 MiB"},
		"large body": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":1,"result":"`+strings.Repeat("x", 20<<20)+`"}`)
		}, "a message of more than 16 MiB"},
		"never answers": {func(_ http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			<-r.Context().Done()
		}, "did not respond within 1s"},
		"ends its stream": {func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Content-Type", "text/event-stream") }, "its event stream ended"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			site := httptest.NewServer(tc.serve)
			t.Cleanup(site.CloseClientConnections)
			timeout := "--timeout=50s"
			if strings.Contains(tc.want, "within 1s") {
				timeout = "--timeout=1s"
			}
			status, stdout, stderr := jptoolgen(t, "inspect", timeout, "--header=X-Secret: hunter2", site.URL+"/mcp")
			if status != 2 || !strings.Contains(stderr, tc.want) || strings.Contains(stderr, "hunter2") {
				t.Errorf("status %d, want 2 and %q\n%s\n%s", status, tc.want, stdout, stderr)
			}
		})
	}
}

func respondWith(code int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
}

// A name cannot inject code into a generated package.
func TestCodeInNames(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	status, _, stderr := jptoolgen(t, "adopt", "-o", dir, "--", "hostile", "code in a name")
	if want := `name "t\nfunc init() { panic(1) }\n//jp:tool name=t" contains control characters`; status != 2 || !strings.Contains(stderr, want) {
		t.Errorf("status %d, %s; want %s", status, stderr, want)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("it wrote files")
	}
}
