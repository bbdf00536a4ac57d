package main

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// serveKiosk runs the kiosk over HTTP, and returns its URL when it is ready.
func serveKiosk(t *testing.T, args ...string) string {
	t.Helper()
	return startServer(t, regexp.MustCompile(`url=(http://\S+)`), exec.CommandContext(t.Context(), "kiosk", append([]string{"--http", "127.0.0.1:0"}, args...)...))
}

// startServer starts a server, waits until its standard error matches the pattern, and returns the text that
// the capture group of the pattern matches, such as the URL of the server.
func startServer(t *testing.T, where *regexp.Regexp, cmd *exec.Cmd) string {
	t.Helper()
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // returns an error, because the server was killed
	})
	in := bufio.NewReader(stderr)
	for {
		line, err := in.ReadString('\n')
		if m := where.FindStringSubmatch(line); m != nil {
			go func() { _, _ = io.Copy(io.Discard, in) }() // until the server exits
			return m[1]
		}
		if err != nil {
			t.Fatalf("the server did not start: %v", err)
		}
	}
}

func TestOverHTTP(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(secret, []byte("a-secret-of-some-length\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("KIOSK_TOKEN", "a-secret-of-some-length")
	open, guarded, trusting := serveKiosk(t), serveKiosk(t, "--http-token-file", secret), serveKiosk(t, "--http-trust-caller")
	answers := []string{"--answer=which-flavor=lemon", "--answer=name=Kim", "--answer=tip=1", "--answer=pay=true"}
	const ordered = "2 scoops of lemon for Kim, tip 1, account 0, with \n"
	outcomes, blocks := serveKiosk(t, "--http-trust-caller", "--jp"), serveKiosk(t, "--http-trust-caller", "--jp=blocks")
	reserve := []string{"reserve", "days=mon", "days=a.b", "--answer=sure=yes", "--answer=ticket.holder=A"}
	const reserved = "2 seats inside for A on mon and a.b, remark \"\"\n" // the same result as in testdata/script/call_wires.txtar
	header := "--header=Authorization: Bearer ${KIOSK_TOKEN}"
	for _, tc := range []struct {
		name   string
		words  []string
		status int
		want   string
	}{
		{"inspect", []string{"inspect", open}, 0, "which-flavor  choice"},
		{"without a token", []string{"inspect", guarded}, 2, "status 401"},
		{"with a token", []string{"list", header, guarded}, 0, "order    Orders ice cream."},
		{"trace without secrets", []string{"call", "--trace", header, guarded, "sale", "id=7"}, 0, `{"id":"7","what":"ice"}`},
		{"the best protocol of the server", append([]string{"call", open, "order", "scoops=2"}, answers...), 0, ordered},
		{"rounds", append([]string{"call", "--wire=mrtr", open, "order", "scoops=2"}, answers...), 0, ordered},
		{"elicitation", append([]string{"call", "--wire=elicit", open, "order", "scoops=2"}, answers...), 0, ordered},
		{"ignored answers in _meta", append([]string{"call", "--wire=none", open, "order", "scoops=2"}, answers...), 7, "over HTTP, start the server with --http-trust-caller\n"},
		{"how to send the ignored answers", append([]string{"call", "--wire=jp", open, "order", "scoops=2"}, answers...), 7, "the server did not use the given answer; use --wire mrtr or, over HTTP, start the server with --http-trust-caller --jp\n"},
		{"accepted answers in _meta", append([]string{"call", "--wire=none", trusting, "order", "scoops=2"}, answers...), 0, ordered},
		{"a JP host and a server without --jp", []string{"call", "--wire=jp", open, "sale", "id=13"}, 1, "not_found"},
		{"a root that may be ignored", []string{"call", "--root=.", open, "sale", "id=7"}, 0, "note: over HTTP, --option and --root apply only if the server was started with --http-trust-caller\n"},
		{"local call of a URL", []string{"call", "--wire=local", open, "sale", "id=13"}, 2, "--wire local requires a target that runs a program"},
		{"a form with defaults", append([]string{"call", open}, reserve...), 0, reserved},
		{"a form with defaults over rounds", append([]string{"call", "--wire=mrtr", open}, reserve...), 0, reserved},
		{"a form with defaults over elicitation", append([]string{"call", "--wire=elicit", open}, reserve...), 0, reserved},
		{"a form with defaults in _meta", append([]string{"call", "--wire=none", trusting}, reserve...), 0, reserved},
		{"a form with defaults over Outcomes", append([]string{"call", "--wire=jp", outcomes}, reserve...), 0, reserved},
		{"a form with defaults over blocks", append([]string{"call", "--wire=blocks", blocks}, reserve...), 0, reserved},
		{"a question without an answer", []string{"call", open, "order", "scoops=2"}, 7, "add --answer which-flavor=… (one of \"vanilla\", \"lemon\")"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			status, stdout, stderr := jptoolgen(t, tc.words...)
			if status != tc.status || !strings.Contains(stdout+stderr, tc.want) || strings.Contains(stdout+stderr, "a-secret-of-some-length") {
				t.Errorf("status %d, want %d and %q\n%s\n%s", status, tc.status, tc.want, stdout, stderr)
			}
		})
	}
}
