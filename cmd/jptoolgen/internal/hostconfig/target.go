package hostconfig

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/files"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/secret"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/target"
	"github.com/jptool/jptool/internal/lazyregexp"
	"github.com/jptool/jptool/internal/phrase"
)

// Resolve returns the server with the name HOST/NAME as a target, or nil if HOST is not a host. It returns an
// error if the word is ambiguous because it is also the path of a file or a directory.
func (p Places) Resolve(dir, word string) (*target.Target, error) {
	name, _, _ := strings.Cut(word, "/")
	h, ok := Find(name)
	if !ok || name == word {
		return nil, nil
	}
	p.Project = dir
	all, unreadable := Configured(p)
	i := slices.IndexFunc(all, func(s Server) bool { return s.Target() == word })
	_, err := os.Stat(filepath.Join(dir, word))
	isPath := err == nil
	switch {
	case i < 0 && isPath:
		return nil, nil
	case i < 0:
		return nil, fmt.Errorf("%s has no server %q%s", h.Title, word[len(name)+1:], unknownHint(word, all, unreadable))
	case isPath:
		return nil, fmt.Errorf("%q is both a path and a server of %s; write ./%[1]s for the path, or run the command in another directory for the server", word, h.Title)
	}
	t, err := all[i].Open(os.LookupEnv)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", word, err)
	}
	return t, nil
}

// unknownHint returns advice for the user if the named server is unknown.
func unknownHint(word string, all []Server, unreadable error) string {
	if unreadable != nil {
		return "; a configuration file cannot be read: " + unreadable.Error()
	}
	var known []string
	for _, s := range all {
		known = append(known, s.Target())
	}
	if near, ok := phrase.Nearest(word, known); ok {
		return "; did you mean " + near + "?"
	}
	return "; run jptoolgen servers for the list"
}

// An opening is the conversion of an entry to a target. err is the first error.
type opening struct {
	Server
	lookup func(string) (string, bool)
	hidden []string
	err    error
}

// Open returns the server as a target. In environment variables and headers, references become ${NAME}.
// Elsewhere, they are replaced with their values.
func (s Server) Open(lookup func(string) (string, bool)) (*target.Target, error) {
	o := &opening{Server: s, lookup: lookup}
	t := &target.Target{Kind: target.Command, Dir: files.Join(s.places.Project, o.final(s.string("cwd")))}
	if address := o.final(s.address()); address != "" {
		var err error
		if t, err = target.ParseURL(address); err != nil {
			return nil, err
		}
		t.Header = o.headers()
	} else {
		t.Env = append(o.envFile(), o.env()...)
		for _, word := range s.command() {
			t.Argv = append(t.Argv, o.final(word))
		}
	}
	if s.Project {
		t.Project = s.File
	}
	t.Hidden = o.hidden
	switch {
	case o.err == nil && len(t.Argv) == 0 && t.URL == "":
		o.err = errors.New("it has neither a command nor a URL; jptoolgen cannot start servers that extensions provide")
	case o.err == nil && t.URL == "" && len(strings.Fields(t.Argv[0])) > 1:
		if _, err := exec.LookPath(t.Argv[0]); err != nil { // the error of LookPath contains the argument, which may be a secret
			o.err = errors.New("its command contains spaces and is not the path to a program; move the arguments to args")
		}
	}
	return t, o.err
}

func (s Server) string(names ...string) string {
	for _, name := range names {
		if text := scalar(s.entry[name]); text != "" {
			return text
		}
	}
	return ""
}

func (s Server) address() string { return s.string("httpUrl", "url", "serverUrl") }

// command returns the program and its arguments.
func (s Server) command() []string {
	var words []string
	switch c := s.entry["command"].(type) {
	case map[string]any: // the form that Zed used before 2025
		return Server{entry: map[string]any{"command": c["path"], "args": c["args"]}}.command()
	case []any:
		words = s.list("command")
	case string:
		words = []string{c}
	}
	return slices.Concat(words, s.list("args"), s.list("arguments"))
}

// list returns the elements of a list in the entry.
func (s Server) list(name string) []string {
	values, _ := s.entry[name].([]any)
	words := make([]string, len(values))
	for i, v := range values {
		words[i] = scalar(v)
	}
	return words
}

// scalar returns a string, a number or a boolean as text, or "" for other values.
func scalar(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case bool, int64:
		return fmt.Sprint(v)
	}
	return ""
}

// env returns the environment variables to set for the program. The program also inherits the current
// environment.
func (o *opening) env() []string {
	var all []string
	values, _ := o.entry["env"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(values)) {
		all = append(all, name+"="+o.text(scalar(values[name])))
	}
	return all
}

// maxEnvFile is the maximum size of an envFile.
const maxEnvFile = 1 << 20

// assignment matches an envFile line that all programs interpret in the same way.
var assignment = lazyregexp.New(`^(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(?:'([^']*)'|"([^"\\$\x60]*)"|([^'"\\$\x60#]*))$`)

// envFile returns the variables in the envFile of the entry. It adds their values to the text that
// messages must hide.
func (o *opening) envFile() []string {
	path := o.final(o.string("envFile"))
	if path == "" || o.err != nil {
		return nil
	}
	text, err := files.Read(files.Join(o.places.Project, path), maxEnvFile)
	if err != nil {
		o.fail("its envFile: %w", err)
	}
	var all []string
	for i, line := range strings.Split(strings.TrimPrefix(string(text), mark), "\n") {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		parts := assignment().FindStringSubmatch(line)
		if parts == nil || strings.Contains(line, "${") {
			o.fail("line %d of its envFile is not a plain NAME=VALUE; write the value in single quotes, without ${", i+1)
			break
		}
		value := parts[2] + parts[3] + parts[4]
		all, o.hidden = append(all, parts[1]+"="+value), append(o.hidden, value)
	}
	return all
}

// headers returns the headers for a server at a URL. Codex lists the names of variables instead of references.
func (o *opening) headers() []target.Header {
	var all []target.Header
	for _, member := range []string{"headers", "http_headers", "env_http_headers"} {
		values, _ := o.entry[member].(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(values)) {
			value := scalar(values[name])
			if member == "env_http_headers" {
				value = o.variable(value, value)
			} else {
				value = o.text(value)
			}
			all = append(all, target.Header{Name: name, Value: value})
		}
	}
	if name := o.string("bearer_token_env_var"); name != "" {
		all = append(all, target.Header{Name: "Authorization", Value: "Bearer " + o.variable(name, name)})
	}
	return all
}

var (
	// reference matches a reference in a host's file. bare matches a reference without braces, as in Gemini CLI.
	reference = lazyregexp.New(`\$\{([^{}]*)\}`)
	bare      = lazyregexp.New(`\$([A-Za-z_][A-Za-z0-9_]*)`)
	// separator matches the characters that the id of an input may contain but the name of a variable may not.
	separator = lazyregexp.New(`[^A-Za-z0-9_]`)
)

// text returns a value in which all references to variables have the form ${NAME}.
func (o *opening) text(value string) string {
	if o.Host.Name == "gemini" {
		value = bare().ReplaceAllString(value, "$${$1}")
	}
	return reference().ReplaceAllStringFunc(value, func(ref string) string {
		word := ref[2 : len(ref)-1]
		name, fallback, hasFallback := strings.Cut(strings.TrimPrefix(word, "env:"), ":-")
		id, asked := strings.CutPrefix(word, "input:")
		f, _ := o.Host.kind.(jsonFormat)
		switch {
		case f.reference == nil:
			o.fail("%s does not expand %s; write the value in the configuration, or pass the program as TARGET", o.Host.Title, ref)
		case name == "workspaceFolder" || name == "CLAUDE_PROJECT_DIR":
			return o.places.Project
		case name == "userHome":
			return o.places.Home
		case name == "/" || name == "pathSeparator":
			return string(filepath.Separator)
		case asked:
			return o.variable(strings.ToUpper(separator().ReplaceAllString(id, "_")), ref)
		case hasFallback:
			if v, ok := o.lookup(name); !ok || v == "" {
				return fallback
			}
		}
		return o.variable(name, ref)
	})
}

// variable returns a reference to an environment variable. It records an error if the variable is not set.
func (o *opening) variable(name, ref string) string {
	spelled := "${" + name + "}"
	if secret.Names(spelled) == nil {
		o.fail("only %s can expand %s; pass the program or the URL as TARGET", o.Host.Title, ref)
	} else if _, ok := o.lookup(name); !ok {
		who := ""
		if strings.HasPrefix(ref, "${input:") {
			who = ", because " + o.Host.Title + " asks its user for " + ref
		}
		o.fail("set the environment variable %s%s", name, who)
	}
	return spelled
}

func (o *opening) fail(format string, args ...any) {
	if o.err == nil {
		o.err = fmt.Errorf(format, args...)
	}
}

// final replaces the references in a value with the values of the variables.
func (o *opening) final(value string) string {
	text, err := secret.Expand(o.text(value), func(name string) (string, bool) {
		v, _ := o.lookup(name) // text has checked that the variable is set
		if !slices.Contains(o.hidden, v) {
			o.hidden = append(o.hidden, v)
		}
		return v, true
	})
	if err != nil {
		o.fail("a value in the server's configuration %w", err)
	}
	return text
}
