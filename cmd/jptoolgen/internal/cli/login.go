package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"runtime"
	"strings"

	"github.com/spf13/pflag"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/login"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/secret"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/target"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/terminal"
)

func logins() *login.Store {
	config, _ := os.UserConfigDir() // on error, config is "", and the store has no logins
	return login.Open(config)
}

// A loginPlan holds the flags of login.
type loginPlan struct {
	targetFlags

	open             bool
	clientID, secret string
	scopes           []string
	port             int
}

func loginCommand() command {
	var p loginPlan
	return command{
		name:  "login",
		usage: "jptoolgen login [flags] TARGET",
		help: `Log in to a server over HTTP with OAuth. TARGET is a URL, or the
@PROFILE of a server with a URL. The command prints the URL of the login page, and opens
it in a browser only if you confirm or add --open.

The token is saved in a file that only you can read, and every command sends it to that
URL. jptoolgen logout revokes and deletes it.`,
		flags: func(flags *pflag.FlagSet) {
			flags.BoolVar(&p.open, "open", false, "open the login page in a browser without asking")
			flags.StringVar(&p.clientID, "client-id", "", "`ID` of a client that is registered with the authorization server, or the https URL of its metadata (default: register one)")
			flags.StringVar(&p.secret, "client-secret", "", "secret of that client, from an environment variable: '${`VARIABLE`}'")
			flags.StringArrayVar(&p.scopes, "scope", nil, "request an additional `scope` that the server does not advertise; the scopes of the last login are kept")
			flags.IntVar(&p.port, "port", 0, "`port` of this machine that the authorization server redirects to (default: any)")
			p.define(flags)
		},
		run: p.run,
	}
}

func (p *loginPlan) run(ctx context.Context, env Env, _ *pflag.FlagSet) error {
	t, err := p.site(env)
	if err != nil {
		return err
	}
	r := login.Request{URL: t.URL, ClientID: p.clientID, Scopes: strings.Fields(strings.Join(p.scopes, " ")), Port: p.port}
	switch {
	case p.secret != "" && p.clientID == "":
		return errors.New("--client-secret requires --client-id")
	case p.secret != "" && secret.Redact(p.secret) != p.secret:
		return errors.New("--client-secret must refer to an environment variable, e.g. '${CLIENT_SECRET}' in single quotes")
	}
	if r.ClientSecret, err = secret.Expand(p.secret, os.LookupEnv); err != nil {
		return fmt.Errorf("--client-secret %w", err)
	}
	if r.Header, err = p.opener(env).Header(ctx, t); err != nil {
		return err
	}
	if r.Header.Get("Authorization") != "" {
		return errors.New("the target already sets an Authorization header, which the login would replace; remove the header to log in")
	}
	host := hostOf(t)
	r.Visit = func(ctx context.Context, page *url.URL) { p.visit(ctx, env, host, page) }
	after := p.silence()
	ctx, cancel := context.WithTimeoutCause(ctx, after, fmt.Errorf("no response within %v", after))
	defer cancel()
	if err := logins().LogIn(ctx, r); err != nil {
		return err
	}
	fmt.Fprintf(env.Stderr, "jptoolgen: logged in to %s\n", host)
	return nil
}

// site returns the target that a command line names, which must be a URL.
func (f *targetFlags) site(env Env) (*target.Target, error) {
	t, rest, err := f.parse(env, 0)
	if err == nil {
		err = unexpectedArgument(rest)
	}
	if err == nil && t.Kind != target.URL {
		err = errors.New("the target must be an HTTP server; use a URL, or the @PROFILE of a server with a URL")
	}
	return t, err
}

func hostOf(t *target.Target) string {
	u, err := url.Parse(t.URL)
	if err != nil {
		return ""
	}
	return terminal.Line(u.Host, 200)
}

// visit asks the user to open the login page.
func (p *loginPlan) visit(ctx context.Context, env Env, host string, page *url.URL) {
	fmt.Fprintf(env.Stderr, "%s asks you to log in at %s:\n  %s\n", host, terminal.Line(page.Host, 200), terminal.Line(page.String(), 16<<10))
	yes := p.open
	if ask := env.asker(); !yes && ask != nil {
		var err error
		if yes, err = ask.Confirm(ctx, "Open it in a browser?"); err != nil {
			return
		}
	}
	if !yes {
		fmt.Fprintln(env.Stderr, "Open the URL in a browser. jptoolgen waits until you have logged in; press Ctrl-C to cancel.")
		return
	}
	if err := browse(ctx, page.String()); err != nil && ctx.Err() == nil {
		env.note("cannot open a browser: " + err.Error())
	}
}

// browse opens a page in a browser.
func browse(ctx context.Context, page string) error {
	argv := []string{"xdg-open", page}
	switch runtime.GOOS {
	case "darwin":
		argv[0] = "open"
	case "windows":
		argv = []string{"rundll32", "url.dll,FileProtocolHandler", page}
	}
	return exec.CommandContext(ctx, argv[0], argv[1:]...).Run()
}

func logoutCommand() command {
	var t targetFlags
	return command{
		name:  "logout",
		usage: "jptoolgen logout TARGET",
		help:  "Delete the token that jptoolgen login saved for a server, and ask the\nauthorization server to revoke it.",
		flags: t.define,
		run: func(ctx context.Context, env Env, _ *pflag.FlagSet) error {
			at, err := t.site(env)
			if err != nil {
				return err
			}
			ctx, cancel := context.WithTimeoutCause(ctx, t.timeout, fmt.Errorf("no response within %v", t.timeout))
			defer cancel()
			revoked, err := logins().LogOut(ctx, at.URL)
			if errors.Is(err, fs.ErrNotExist) {
				address, _, _ := strings.Cut(at.URL, "?") // the query may contain a secret
				return fmt.Errorf("no saved login for %s", terminal.Line(address, 200))
			} else if err != nil {
				return err
			}
			if revoked != nil {
				env.note("the authorization server did not revoke the token, which may remain valid until it expires: " + revoked.Error())
			}
			fmt.Fprintf(env.Stderr, "jptoolgen: logged out of %s\n", hostOf(at))
			return nil
		},
	}
}
