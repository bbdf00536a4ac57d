package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strings"
)

// metadata is the client ID that the suite expects if the authorization server reads client metadata.
const metadata = "https://conformance-test.local/client-metadata.json"

// needed matches the login command, and its scopes, in an error from jptoolgen for a request that
// needs a login.
var needed = regexp.MustCompile(`log in (?:again )?with jptoolgen login(?: --scope '([^']+)')?`)

// logIn runs an OAuth scenario: it logs in and calls the tools. If an error from jptoolgen asks
// for another login, it logs in again.
func (c client) logIn(ctx context.Context) error {
	config, err := os.MkdirTemp("", "conformance-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(config)
	said := new(bytes.Buffer)
	c.env, c.stderr = append(os.Environ(), "XDG_CONFIG_HOME="+config), io.MultiWriter(os.Stderr, said)
	args, err := c.registerClient()
	if err != nil {
		return err
	}
	const limit = 2 // maximum number of further logins
	for n := 0; ; n++ {
		if err := c.visit(ctx, args); err != nil {
			return err
		}
		said.Reset()
		err := c.callEach(ctx)
		m := needed.FindStringSubmatch(said.String())
		if err == nil || m == nil || n == limit {
			return err
		}
		if m[1] != "" {
			args = append(args, "--scope", m[1])
		}
	}
}

// registerClient returns the flags for a client that is registered with the authorization server of the
// scenario. It adds the secret of the client to the environment.
func (c *client) registerClient() ([]string, error) {
	var known struct {
		ID     string `json:"client_id"`
		Secret string `json:"client_secret"`
	}
	if text := os.Getenv("MCP_CONFORMANCE_CONTEXT"); text != "" {
		if err := json.Unmarshal([]byte(text), &known); err != nil {
			return nil, fmt.Errorf("reading MCP_CONFORMANCE_CONTEXT: %w", err)
		}
	}
	switch {
	case known.ID == "" && os.Getenv("MCP_CONFORMANCE_SCENARIO") == "auth/basic-cimd":
		return []string{"--client-id", metadata}, nil
	case known.ID == "":
		return nil, nil
	}
	c.env = append(c.env, "CLIENT_SECRET="+known.Secret)
	return []string{"--client-id", known.ID, "--client-secret", "${CLIENT_SECRET}"}, nil
}

// visit logs in, and opens the page that jptoolgen prints, as a browser does.
func (c client) visit(ctx context.Context, args []string) error {
	cmd := exec.CommandContext(ctx, c.jptoolgen, append(append([]string{"login", "--timeout", "20s"}, args...), c.url)...)
	cmd.Env = c.env
	stderr, err := cmd.StderrPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	lines := bufio.NewScanner(stderr)
	for lines.Scan() {
		fmt.Fprintln(os.Stderr, lines.Text())
		page := strings.TrimSpace(lines.Text())
		if !strings.HasPrefix(page, "http://") && !strings.HasPrefix(page, "https://") {
			continue
		}
		resp, failed := http.Get(page)
		if failed == nil {
			failed = resp.Body.Close()
		}
		err = errors.Join(err, failed)
	}
	return errors.Join(err, lines.Err(), cmd.Wait())
}
