// Package target resolves the server that a user names, starts it or connects to it, and reads its contract.
package target

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/files"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/secret"
)

// Kind is the kind of a target, such as a package or a URL.
type Kind string

// The kinds of targets.
const (
	Package  Kind = "package"  // the directory of a Go package, which is built and run
	Command  Kind = "command"  // a program on this machine
	URL      Kind = "url"      // a server over HTTP
	Lock     Kind = "lock"     // a contract in a file, or another document that describes a server
	Launcher Kind = "launcher" // an mcp+… URI, run by a launcher
)

// A Target is a server as the user names it.
type Target struct {
	Kind Kind
	// Path is the absolute path of the package's directory or the lock file.
	Path string
	// Argv is the command line of the server. For a package, it holds only the arguments of the program.
	Argv []string
	// Dir is the working directory of the program. "" means the current directory.
	Dir string
	// Env lists variables to add to the environment, as NAME=VALUE. When the program starts, ${NAME} in a value
	// is replaced with the value of that environment variable.
	Env []string
	// URL is the URL of a server over HTTP, and Header is sent with every request.
	URL    string
	Header []Header
	// Fetches describes the code that the launcher downloads and runs. "" means that nothing is downloaded.
	Fetches string
	// Project is the project file that configures the server. "" means that the user named the server.
	Project string
	// Tool, Resource and List come from an mcp+… URI, which has at most one of them. Resource is a URI or a name, and List
	// is tools, resources or prompts. Arguments are those of the tool, or the variables of the resource.
	Tool, Resource, List string
	Arguments            url.Values
}

// A Header is an HTTP header. ${NAME} in its value is replaced with the value of that environment variable.
type Header struct{ Name, Value string }

// ParseHeaders parses the values of --header.
func ParseHeaders(words []string) ([]Header, error) {
	var all []Header
	for _, word := range words {
		name, value, ok := strings.Cut(word, ":")
		if !ok || strings.TrimSpace(name) == "" {
			return nil, errors.New(`--header must be 'NAME: VALUE'`)
		}
		all = append(all, Header{strings.TrimSpace(name), strings.TrimSpace(value)})
	}
	return all, nil
}

// Names resolves the names of saved servers.
type Names interface {
	// Resolve returns the target that a word names, relative to dir, or nil if the word is not a name.
	Resolve(dir, word string) (*Target, error)
}

// ErrNoServer reports that an operation needs a running server, but the target is only a contract.
var ErrNoServer = errors.New("is not a server; use a package, a program or a URL")

// usage lists the forms of a target.
const usage = "use the directory of a package, a program as ./PROGRAM [-- ARGUMENTS], a URL, a lock file or a saved list of tools, @PROFILE, or a URI such as mcp+npx://PACKAGE"

// Parse returns the target that word names, relative to dir. more holds the arguments of its program. Parse does
// not build or run anything. If word is empty or "-", the first element of more is the name of the program,
// which may be in PATH.
func Parse(dir, word string, more []string, names Names) (*Target, error) {
	if word == "-" {
		word = ""
	}
	t, err := parse(dir, word, more, names)
	if err != nil {
		return nil, err
	}
	if len(more) > 0 && (t.Kind == URL || t.Kind == Lock) {
		return nil, fmt.Errorf("%s takes no arguments after --", word)
	}
	return t, nil
}

func parse(dir, word string, more []string, names Names) (*Target, error) {
	if names != nil {
		if t, err := names.Resolve(dir, word); err != nil {
			return nil, err
		} else if t != nil {
			t.Argv = append(t.Argv, more...)
			return t, nil
		}
	}
	switch {
	case word == "" && len(more) == 0:
		return nil, errors.New("missing target; " + usage)
	case word == "":
		return &Target{Kind: Command, Argv: more, Dir: dir}, nil
	case strings.HasPrefix(word, "mcp+"):
		t, err := parseLauncherURI(word)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", word, err)
		}
		t.Argv, t.Dir = append(t.Argv, more...), dir
		return t, nil
	case strings.Contains(word, "://"):
		return ParseURL(word)
	}
	return parsePath(dir, word, more)
}

// ParseURL returns the target at a URL. Its error does not contain the URL, which may contain a secret.
func ParseURL(word string) (*Target, error) {
	u, err := url.Parse(word)
	switch {
	case err != nil:
		return nil, errors.New("invalid URL") // the error of url.Parse repeats the URL, which may contain a password
	case u.Scheme != "http" && u.Scheme != "https":
		return nil, fmt.Errorf("unsupported URL scheme %q: must be http or https", u.Scheme)
	case u.User != nil:
		return nil, errors.New(`a URL must not contain a user name or password; use --header 'Authorization: Bearer ${TOKEN}'`)
	case u.Host == "":
		return nil, errors.New("the URL has no host")
	}
	u.Fragment = ""
	return &Target{Kind: URL, URL: u.String()}, nil
}

func parsePath(dir, word string, more []string) (*Target, error) {
	path := files.Join(dir, word)
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, fmt.Errorf("%s does not exist; %s", word, usage)
	case err != nil:
		return nil, err
	case info.IsDir():
		return &Target{Kind: Package, Path: path, Argv: more, Dir: dir}, nil
	case strings.HasSuffix(word, ".json"):
		return &Target{Kind: Lock, Path: path}, nil
	case !runnable(info):
		return nil, fmt.Errorf("%s is neither a program nor a .json file; %s", word, usage)
	}
	return &Target{Kind: Command, Argv: append([]string{path}, more...), Dir: dir}, nil
}

// Secrets returns the values that only the server receives and that must not be printed: the values of its
// headers and of the environment variables that are added for it.
func (t *Target) Secrets() []string {
	var out []string
	for _, h := range t.Header {
		value := secret.Refer(h.Value, os.Getenv)
		out = append(out, value)
		if _, token, ok := strings.Cut(value, " "); ok { // the token after the scheme, for example Bearer
			out = append(out, token)
		}
	}
	for _, v := range t.Env {
		_, value, _ := strings.Cut(v, "=")
		out = append(out, secret.Refer(value, os.Getenv))
	}
	return out
}
