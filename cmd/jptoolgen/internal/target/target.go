// Package target finds the server that a person named, starts or dials it, and learns its contract.
package target

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/secret"
)

// Kind is what a target is.
type Kind string

// The kinds of target.
const (
	Package Kind = "package" // the directory of a Go package, which is built and run
	Command Kind = "command" // a program on this machine
	URL     Kind = "url"     // a server over HTTP
	Lock    Kind = "lock"    // a contract in a file
	Naked   Kind = "naked"   // an mcp+… URI, run by a launcher
)

// A Target is a server, as a person names it.
type Target struct {
	Kind Kind
	// Words is what was typed.
	Words []string
	// Path of the package's directory or the lock file, absolute.
	Path string
	// Argv runs the server; for a package, what follows the program.
	Argv []string
	// Dir is where it runs; "" is here.
	Dir string
	// Env has what is added to the environment, NAME=VALUE each. ${NAME} in a value stands for a variable
	// of the environment, which is read when the program starts.
	Env []string
	// URL is the address of a server over HTTP, and Header what goes along with every request.
	URL    string
	Header []Header
	// Fetches names the code that the launcher downloads and runs; "" if it is here already.
	Fetches string
	// Tool and Arguments are those that a naked URI names.
	Tool      string
	Arguments url.Values
}

// A Header is one of HTTP. ${NAME} in its value stands for a variable of the environment.
type Header struct{ Name, Value string }

// Profiles finds the target of a saved profile.
type Profiles interface {
	// Resolve returns the target of the profile of that name, without its @.
	Resolve(name string) (*Target, error)
}

// ErrNoServer is returned by what needs a running server, and has a contract alone.
var ErrNoServer = errors.New("a lock file is no server: name a package, a program or a URL")

// usage is what may be typed.
const usage = "name the directory of a package, a program as ./PROGRAM [-- ARGUMENTS], a URL, a lock file, @PROFILE, or a URI such as mcp+npx://PACKAGE"

// Parse returns the target that word names in dir. More are the arguments of its program. Nothing is run
// or built yet. A word that is empty or - names the program by the first of more, which may be one of the
// PATH.
func Parse(dir, word string, more []string, profiles Profiles) (*Target, error) {
	if word == "-" {
		word = ""
	}
	t, err := parse(dir, word, more, profiles)
	if err != nil {
		return nil, err
	}
	if len(more) > 0 && (t.Kind == URL || t.Kind == Lock) {
		return nil, fmt.Errorf("%s takes no arguments after --", word)
	}
	if t.Words == nil {
		t.Words = append([]string{word}, more...)
	}
	return t, nil
}

func parse(dir, word string, more []string, profiles Profiles) (*Target, error) {
	switch {
	case word == "" && len(more) == 0:
		return nil, errors.New("there is no target: " + usage)
	case word == "":
		return &Target{Kind: Command, Argv: more, Dir: dir}, nil
	case strings.HasPrefix(word, "@"):
		if profiles == nil {
			return nil, fmt.Errorf("%s: there are no profiles here", word)
		}
		t, err := profiles.Resolve(word[1:])
		if err != nil {
			return nil, err
		}
		clone := *t
		clone.Argv = append(clone.Argv[:len(clone.Argv):len(clone.Argv)], more...)
		return &clone, nil
	case strings.HasPrefix(word, "mcp+"):
		t, err := parseNaked(word)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", word, err)
		}
		t.Argv, t.Dir = append(t.Argv, more...), dir
		return t, nil
	case strings.Contains(word, "://"):
		return parseURL(word)
	}
	return parsePath(dir, word, more)
}

func parseURL(word string) (*Target, error) {
	u, err := url.Parse(word)
	switch {
	case err != nil:
		return nil, errors.New("the URL cannot be read") // its own error repeats it, with a password
	case u.Scheme != "http" && u.Scheme != "https":
		return nil, fmt.Errorf("a URL begins with http:// or https://, this one with %s://", u.Scheme)
	case u.User != nil:
		return nil, errors.New(`a secret does not belong into a URL: use --header 'Authorization: Bearer ${TOKEN}'`)
	case u.Host == "":
		return nil, fmt.Errorf("%s names no host", word)
	}
	u.Fragment = ""
	return &Target{Kind: URL, URL: u.String()}, nil
}

func parsePath(dir, word string, more []string) (*Target, error) {
	path := word
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, fmt.Errorf("%s does not exist: %s", word, usage)
	case err != nil:
		return nil, err
	case info.IsDir():
		return &Target{Kind: Package, Path: path, Argv: more, Dir: dir}, nil
	case strings.HasSuffix(word, ".json"):
		return &Target{Kind: Lock, Path: path}, nil
	case !runnable(info):
		return nil, fmt.Errorf("%s is neither a program nor a .json file: %s", word, usage)
	}
	return &Target{Kind: Command, Argv: append([]string{path}, more...), Dir: dir}, nil
}

// Secrets returns the values that were handed to the server for it alone, and that nothing shows: of its
// headers, and of variables that were added to its environment.
func (t *Target) Secrets() []string {
	var out []string
	for _, h := range t.Header {
		value := os.ExpandEnv(h.Value)
		out = append(out, value)
		if _, token, ok := strings.Cut(value, " "); ok { // behind the scheme, such as Bearer
			out = append(out, token)
		}
	}
	for _, v := range t.Env {
		_, value, _ := strings.Cut(v, "=")
		out = append(out, secret.Refer(value, os.Getenv))
	}
	return out
}
