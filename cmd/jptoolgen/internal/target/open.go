package target

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/secret"
	"github.com/jptool/jptool/internal/declared"
	"github.com/jptool/jptool/internal/peer"
)

// fetching is the maximum time for a launcher to download a package.
const fetching = 5 * time.Minute

// An Opener connects to targets.
type Opener struct {
	// Confirm is called before code is downloaded and run, and before a server from a project's configuration is
	// used. Its argument describes the action. If Confirm is nil, such targets are rejected.
	Confirm func(ctx context.Context, happens string) (bool, error)
	// Logins holds the tokens of the user. It may be nil.
	Logins Logins
	// Arguments are added to the program's arguments, for example --jp.
	Arguments []string
	// Peer holds the options of the client.
	Peer peer.Options
	// TimeoutSet reports whether the user chose the Silence in Peer, which then also applies to downloads.
	TimeoutSet bool
	// Stderr receives the server's standard error. If it is nil, the end of that output is kept for error messages.
	Stderr io.Writer
	// ToolsOnly is set if Surface does not need the resources or prompts of a server.
	ToolsOnly bool
}

// Logins holds the user's tokens for servers over HTTP.
type Logins interface {
	// Find returns a function that returns the token for a URL, or nil if the user is not logged in
	// there.
	Find(address string) (func(context.Context) (string, error), error)
	// Secrets returns the tokens that were used. They must not be printed.
	Secrets() []string
}

// ErrRefused reports that the user did not confirm a target.
var ErrRefused = errors.New("not confirmed")

// A Program is a server that is ready to run: confirmed, and built if necessary.
type Program struct {
	// Command runs the server.
	Command peer.Command
	// Remove removes the files that were built.
	Remove func() error

	fetches bool // whether code is downloaded before the program runs
	bare    bool // whether the program has no arguments
	secrets []string
}

// consent asks the user to confirm a target that someone else has chosen and that runs code or receives
// environment variables.
func (o Opener) consent(ctx context.Context, t *Target) error {
	happens := ""
	switch {
	case t.Fetches != "":
		happens = fmt.Sprintf("downloads and runs %s with your permissions: %s", t.Fetches, CommandLine(t.Argv))
	case t.Project != "" && t.Kind == URL:
		happens = fmt.Sprintf("connects to a server that the project's file %s configures, and sends it the headers in that file", t.Project)
	case t.Project != "" && t.Kind == Package:
		happens = fmt.Sprintf("builds and runs %s with your permissions, as configured in the project's file %s", t.Path, t.Project)
	case t.Project != "":
		happens = fmt.Sprintf("runs %s with your permissions, as configured in the project's file %s", Shown(t.Argv), t.Project)
	default:
		return nil
	}
	if o.Confirm == nil {
		return fmt.Errorf("%w: the target %s; add --yes if you trust it", ErrRefused, happens)
	}
	if yes, err := o.Confirm(ctx, happens); err != nil || !yes {
		return errors.Join(ErrRefused, err)
	}
	return nil
}

// Program returns the program of a target. It builds the program if necessary.
func (o Opener) Program(ctx context.Context, t *Target) (*Program, error) {
	if err := o.consent(ctx, t); err != nil {
		return nil, err
	}
	p := &Program{Remove: func() error { return nil }, fetches: t.Fetches != "", secrets: t.Secrets()}
	argv := t.Argv
	if t.Kind == Package {
		dir, err := os.MkdirTemp("", "jptoolgen-")
		if err != nil {
			return nil, err
		}
		p.Remove = func() error { return os.RemoveAll(dir) }
		binary, err := build(ctx, t.Path, dir)
		if err != nil {
			return nil, errors.Join(err, p.Remove())
		}
		argv = append([]string{binary}, argv...)
	}
	if len(argv) == 0 {
		return nil, noServer(t.Path)
	}
	p.bare = len(argv) == 1
	env, err := environment(t, os.LookupEnv)
	if err != nil {
		return nil, errors.Join(err, p.Remove())
	}
	p.Command = peer.Command{Argv: slices.Concat(argv, o.Arguments), Dir: t.Dir, Env: env}
	return p, nil
}

// build builds the program of a package into a directory, like "go build" in the package's directory.
func build(ctx context.Context, dir, into string) (string, error) {
	binary := Binary(into, "server")
	cmd := exec.CommandContext(ctx, "go", "build", "-o", binary, ".")
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if errors.Is(err, exec.ErrNotFound) {
		return "", fmt.Errorf("building %s: %w", dir, err)
	}
	if err != nil {
		return "", fmt.Errorf("%w\n%s", addStale(fmt.Errorf("building %s: %w", dir, err), dir), strings.TrimRight(tail(out), "\n"))
	}
	// go build writes an archive for a package that is not a program.
	if info, err := os.Stat(binary); err != nil || !runnable(info) {
		return "", fmt.Errorf("the package in %s is not a program; use the directory of its main package", dir)
	}
	return binary, nil
}

// AddStale adds a hint to an error if the target is a package whose generated code is out of date.
func (t *Target) AddStale(err error) error {
	if t.Kind != Package {
		return err
	}
	return addStale(err, t.Path)
}

func addStale(err error, dir string) error {
	if stale, failed := declared.Check(dir); len(stale) > 0 && failed == nil {
		return fmt.Errorf("%w; %s; run go generate", err, stale[0].Says)
	}
	return err
}

// Binary returns the path of a program with the given name in a directory.
func Binary(dir, name string) string {
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	return filepath.Join(dir, name)
}

func tail(text []byte) string {
	const limit = 4 << 10
	if len(text) > limit {
		text = append([]byte("…"), text[len(text)-limit:]...)
	}
	return string(text)
}

// CommandLine returns a command line as text for a person to review.
func CommandLine(argv []string) string {
	words := make([]string, len(argv))
	for i, word := range argv {
		words[i] = word
		if word == "" || strings.ContainsAny(word, " \t\n'\"\\$&|;<>()[]{}*?`~#!") {
			words[i] = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
		}
	}
	return strings.Join(words, " ")
}

// Shown returns a command line without its arguments, which may contain secrets. In some files, the name of the
// program is a whole command line.
func Shown(argv []string) string {
	words := strings.Fields(strings.Join(argv, " "))
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return words[0] + " …"
}

// A Conn is a session with a target's server.
type Conn struct {
	*peer.Session
	program *Program
	stderr  *ending
}

// Connect opens a session with a target's server. Close ends it.
func (o Opener) Connect(ctx context.Context, t *Target) (*Conn, error) {
	if t.Kind == Lock {
		return nil, noServer(t.Path)
	}
	if t.Kind == URL {
		header, err := o.Header(ctx, t)
		if err != nil {
			return nil, err
		}
		options := o.Peer
		if o.Logins != nil && header.Get("Authorization") == "" {
			if options.Token, err = o.Logins.Find(t.URL); err != nil {
				return nil, err
			}
		}
		s, err := peer.Dial(ctx, t.URL, header, options)
		if err != nil {
			return nil, err
		}
		return &Conn{Session: s}, nil
	}
	p, err := o.Program(ctx, t)
	if err != nil {
		return nil, err
	}
	c, err := o.Start(ctx, p)
	if err != nil {
		return nil, errors.Join(err, p.Remove())
	}
	return c, nil
}

// Start runs a program and opens a session with it. Close ends the session and removes the program.
func (o Opener) Start(ctx context.Context, p *Program) (*Conn, error) {
	c := &Conn{program: p, stderr: &ending{also: o.Stderr}}
	command, options := p.Command, o.Peer
	command.Stderr = c.stderr
	if p.fetches && !o.TimeoutSet {
		options.Limits.Silence = max(fetching, options.Limits.Silence)
	}
	var err error
	if c.Session, err = peer.Start(ctx, command, options); err != nil {
		err = c.Explain(err)
		if p.bare && errors.Is(err, peer.ErrEnded) {
			err = fmt.Errorf("%w\nthe program was started without arguments; if it serves only with a subcommand, write the subcommand after --, e.g. -- mcp", err)
		}
		return nil, err
	}
	return c, nil
}

// Command returns the command line that runs the target's program.
func (c *Conn) Command() peer.Command { return c.program.Command }

// Explain adds the last lines of the server's standard error to an error.
func (c *Conn) Explain(err error) error {
	if err == nil || c.stderr == nil || c.stderr.also != nil {
		return err
	}
	if errors.Is(err, peer.ErrEnded) && c.Session != nil {
		_ = c.Session.Close() // after Close, all output of the program is available
	}
	said := c.stderr.String()
	for _, secret := range c.program.secrets {
		if len(secret) > 3 { // a shorter secret could be part of many words
			said = strings.ReplaceAll(said, secret, "***")
		}
	}
	if said != "" && (errors.Is(err, peer.ErrEnded) || errors.Is(err, peer.ErrSilent)) {
		return fmt.Errorf("%w\nthe last lines of the server's standard error:\n%s", err, said)
	}
	return err
}

// Close ends the session and removes the files that were built for it. It does not report the exit status of the
// program, because the program has already done its work.
func (c *Conn) Close() error {
	_ = c.Session.Close() // the exit status does not matter
	if c.program == nil {
		return nil
	}
	return c.program.Remove()
}

// Header returns the headers for a target over HTTP. The user may have to confirm the target.
func (o Opener) Header(ctx context.Context, t *Target) (http.Header, error) {
	header, err := headers(t.Header, os.LookupEnv)
	if err != nil {
		return nil, err
	}
	return header, o.consent(ctx, t)
}

// headers returns headers in which references to environment variables are replaced with their values.
func headers(list []Header, lookup func(string) (string, bool)) (http.Header, error) {
	header := http.Header{}
	for _, h := range list {
		value, err := secret.Expand(h.Value, lookup)
		if err != nil {
			return nil, fmt.Errorf("header %s %w", h.Name, err)
		}
		header.Add(h.Name, value)
	}
	return header, nil
}

// environment returns the environment of a target's program. Code from a registry gets the variables that
// launchers need, without secrets.
func environment(t *Target, lookup func(string) (string, bool)) ([]string, error) {
	env := os.Environ()
	if t.Fetches != "" {
		env = slices.DeleteFunc(env, func(v string) bool { return !harmless(v) })
	}
	for _, v := range t.Env {
		name, value, _ := strings.Cut(v, "=")
		value, err := secret.Expand(value, lookup)
		if err != nil {
			return nil, fmt.Errorf("environment variable %s %w", name, err)
		}
		env = append(env, name+"="+value)
	}
	return env, nil
}

func harmless(variable string) bool {
	name, _, _ := strings.Cut(variable, "=")
	name = strings.ToUpper(name)
	if secret.Named(name) {
		return false
	}
	return slices.Contains(kept, name) || slices.ContainsFunc(keptPrefixes, func(prefix string) bool { return strings.HasPrefix(name, prefix) })
}

var (
	kept = []string{
		"HOME", "PATH", "USER", "LOGNAME", "SHELL", "TERM", "LANG", "TZ", "TMPDIR", "TEMP", "TMP", "NO_COLOR",
		"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS",
		"REQUESTS_CA_BUNDLE", "SYSTEMROOT", "SYSTEMDRIVE", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "PROGRAMFILES",
		"PATHEXT", "COMSPEC", "WINDIR", "GOPATH", "GOROOT", "GOCACHE", "GOMODCACHE", "GOENV", "GOFLAGS", "GOPROXY",
		"GOPRIVATE", "GONOPROXY", "GONOSUMDB", "GOSUMDB", "GOINSECURE", "GOTOOLCHAIN",
	}
	keptPrefixes = []string{"LC_", "XDG_", "CGO_", "NPM_CONFIG_", "NODE_VERSION", "UV_", "PIP_", "PYENV_", "NVM_"}
)

// An ending keeps the end of the text that is written to it.
type ending struct {
	also io.Writer

	mu   sync.Mutex
	text []byte
}

// maxTail is the number of bytes to keep.
const maxTail = 2 << 10

// Write never fails, so that the server can keep writing even if its output cannot be shown.
func (e *ending) Write(p []byte) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.also != nil {
		_, _ = e.also.Write(p) // a closed terminal must not stop the server
		return len(p), nil
	}
	e.text = append(e.text, p[max(0, len(p)-maxTail):]...)
	e.text = slices.Delete(e.text, 0, max(0, len(e.text)-maxTail))
	return len(p), nil
}

// Reset discards the text before a server is started again.
func (e *ending) Reset() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.text = nil
}

// String returns the last lines, at most ten.
func (e *ending) String() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	lines := strings.Split(strings.TrimSpace(string(e.text)), "\n")
	return strings.Join(lines[max(0, len(lines)-10):], "\n")
}
