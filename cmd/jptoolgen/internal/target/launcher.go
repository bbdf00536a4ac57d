package target

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/mod/module"

	"github.com/jptool/jptool/internal/lazyregexp"
)

// A launcher runs the servers that one kind of URI names:
// mcp+LAUNCHER://PACKAGE[/COMMAND]?command=WORD&tool=NAME&ARGUMENT=VALUE. Instead of tool=, the query can have
// resource=URI or list=tools|resources|prompts. With uvx, with=PACKAGE adds packages.
type launcher struct {
	name string
	// argv returns the command line that runs a package, and a description of the code it downloads.
	argv func(name, command string, words []string) ([]string, string, error)
	// split splits the path into package and command. If split is nil, the whole path is the package.
	split func(path string) (name, command string)
}

func launchers() []launcher {
	return []launcher{
		{"uvx", uvx, splitFirst},
		{"npx", npx, splitScoped},
		{"python", script("python"), nil},
		{"node", script("node"), nil},
		{"go", goRun, nil},
		{"exec", program, nil},
	}
}

// parseLauncherURI returns the target of a launcher URI. Each argument of the command line comes from one part of
// the URI and stays one argument.
func parseLauncherURI(uri string) (*Target, error) {
	scheme, rest, ok := strings.Cut(strings.TrimPrefix(uri, "mcp+"), "://")
	i := slices.IndexFunc(launchers(), func(l launcher) bool { return l.name == scheme })
	if !ok || i < 0 {
		return nil, errors.New("must begin with mcp+uvx://, mcp+npx://, mcp+python://, mcp+node://, mcp+go:// or mcp+exec://")
	}
	if strings.Contains(rest, "#") {
		return nil, errors.New("a # must be written as %23")
	}
	escaped, query, _ := strings.Cut(rest, "?")
	values, err := url.ParseQuery(query)
	if err != nil {
		return nil, fmt.Errorf("invalid query: %w", err)
	}
	l := launchers()[i]
	name, command := escaped, ""
	if l.split != nil {
		name, command = l.split(escaped)
	}
	for _, part := range []*string{&name, &command} {
		if *part, err = url.PathUnescape(*part); err != nil {
			return nil, fmt.Errorf("invalid path: %w", err)
		}
	}
	words := values["command"]
	for _, word := range slices.Concat([]string{name, command}, words) {
		if strings.ContainsFunc(word, unicode.IsControl) {
			return nil, errors.New("contains a control character")
		}
	}
	if name == "" {
		return nil, fmt.Errorf("missing package after mcp+%s://", l.name)
	}
	if strings.HasPrefix(name, "-") || strings.HasPrefix(command, "-") {
		return nil, fmt.Errorf("%q would be interpreted as a flag by %s", name+command, l.name)
	}
	argv, fetches, err := l.argv(name, command, words)
	if err == nil && l.name == "uvx" {
		argv, fetches, err = withPackages(argv, fetches, values["with"])
		values.Del("with")
	}
	if err != nil {
		return nil, err
	}
	t := &Target{Kind: Launcher, Argv: argv, Fetches: fetches, Arguments: values}
	values.Del("command")
	return t, t.Operate()
}

// Operation returns the operation that an mcp+… URI names: call for a tool, read for a resource, or list. If the URI names
// none, the operation lists the resources, and word is the name of this list.
func Operation(uri string) (name, word string) {
	switch t, err := parseLauncherURI(uri); {
	case err != nil: // list reports it
	case t.Tool != "":
		return "call", ""
	case t.Resource != "":
		return "read", ""
	case t.List == "":
		return "list", "resources"
	}
	return "list", ""
}

// Operate moves the operation from the arguments to the fields of t. The arguments of a tool can have the names of other
// operations.
func (t *Target) Operate() error {
	for _, o := range []struct {
		name string
		to   *string
	}{{"tool", &t.Tool}, {"resource", &t.Resource}, {"list", &t.List}} {
		values, given := t.Arguments[o.name]
		switch {
		case !given:
			continue
		case len(values) > 1:
			return fmt.Errorf("contains more than one %s= parameter", o.name)
		case values[0] == "":
			return fmt.Errorf("the parameter %s= has no value", o.name)
		}
		*o.to = values[0]
		t.Arguments.Del(o.name)
		break
	}
	lists := []string{"tools", "resources", "prompts"}
	switch {
	case t.List == "":
		return nil
	case !slices.Contains(lists, t.List):
		return fmt.Errorf("unknown list %q; use list=tools, list=resources or list=prompts", t.List)
	case len(t.Arguments) > 0:
		return fmt.Errorf("a list takes no arguments such as %s=", slices.Sorted(maps.Keys(t.Arguments))[0])
	}
	return nil
}

// withPackages adds packages to the command line of uv.
func withPackages(argv []string, fetches string, packages []string) ([]string, string, error) {
	const at = 4 // after uv run --with PACKAGE
	var more []string
	for _, name := range packages {
		added, _, err := uvx(name, "", nil)
		if err != nil {
			return nil, "", fmt.Errorf("with=%s: %w", name, err)
		}
		more = append(more, added[2:at]...)
		fetches += " and " + name
	}
	return slices.Insert(argv, at, more...), fetches, nil
}

func splitFirst(path string) (name, command string) {
	name, command, _ = strings.Cut(path, "/")
	return name, command
}

// splitScoped keeps the scope of an npm package as part of its name.
func splitScoped(path string) (name, command string) {
	scope := ""
	if strings.HasPrefix(path, "@") || strings.HasPrefix(path, "%40") {
		if before, after, ok := strings.Cut(path, "/"); ok {
			scope, path = before+"/", after
		}
	}
	name, command, _ = strings.Cut(path, "/")
	return scope + name, command
}

// These patterns accept only packages from a registry. The launchers would also accept paths and URLs.
var (
	pythonPackage = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9._-]*(\[[A-Za-z0-9._,-]+\])?((==|>=|<=|~=|!=|<|>|@)[A-Za-z0-9.*+!_-]+)?$`)
	npmPackage    = lazyregexp.New(`^(@[a-z0-9~][a-z0-9._~-]*/)?[a-z0-9~][a-z0-9._~-]*(@[A-Za-z0-9.+^~*_-]+)?$`)
	commandName   = lazyregexp.New(`^[A-Za-z0-9_][A-Za-z0-9._-]*$`)
	goVersion     = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9.+_/-]*$`)
)

func uvx(name, command string, words []string) ([]string, string, error) {
	if !pythonPackage().MatchString(name) {
		return nil, "", fmt.Errorf("invalid Python package name %q", name)
	}
	if command == "" { // the package's command usually has its name, without extras or version
		command = strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune("[=<>~!@", r) })[0]
	}
	if !commandName().MatchString(command) {
		return nil, "", fmt.Errorf("invalid command name %q", command)
	}
	// uvx writes a version after @; uv run requires ==.
	spec := name
	if base, version, ok := strings.Cut(name, "@"); ok {
		spec = base + "==" + version
		if version == "latest" {
			spec = base
		}
	}
	return append([]string{"uv", "run", "--with", spec, command}, words...), "the Python package " + name, nil
}

func npx(name, command string, words []string) ([]string, string, error) {
	if !npmPackage().MatchString(name) {
		return nil, "", fmt.Errorf("invalid npm package name %q", name)
	}
	argv := []string{"npx", "-y", name}
	if command != "" {
		if !commandName().MatchString(command) {
			return nil, "", fmt.Errorf("invalid command name %q", command)
		}
		argv = []string{"npx", "-y", "--package", name, "--", command}
	}
	return append(argv, words...), "the npm package " + name, nil
}

// script returns the argv function of an interpreter that runs a file.
func script(interpreter string) func(string, string, []string) ([]string, string, error) {
	return func(name, _ string, words []string) ([]string, string, error) {
		if strings.Contains(name, "://") {
			return nil, "", fmt.Errorf("%q is not a file", name)
		}
		return append([]string{interpreter, name}, words...), "", nil
	}
}

func goRun(name, _ string, words []string) ([]string, string, error) {
	path, version, pinned := strings.Cut(name, "@")
	if strings.HasPrefix(path, "./") || strings.HasPrefix(path, "../") || strings.HasPrefix(path, "/") {
		if pinned {
			return nil, "", fmt.Errorf("%q: a local directory cannot have a version; remove @%s", name, version)
		}
		return append([]string{"go", "run", path}, words...), "", nil
	}
	if err := module.CheckImportPath(path); err != nil {
		return nil, "", err
	}
	if !pinned {
		name, version = path+"@latest", "latest"
	}
	if !goVersion().MatchString(version) {
		return nil, "", fmt.Errorf("invalid version %q", version)
	}
	return append([]string{"go", "run", name}, words...), "the Go package " + name, nil
}

func program(name, _ string, words []string) ([]string, string, error) {
	return append([]string{name}, words...), "", nil
}
