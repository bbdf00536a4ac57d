// Package scaffold makes new servers, and new tools of a server that exists.
package scaffold

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"text/template"
	"unicode"

	"golang.org/x/mod/module"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/files"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/hostconfig"
	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/templates"
)

// A File is something to be written.
type File struct {
	// Path is relative, with slashes.
	Path string
	Data []byte
}

// A Project is a server to be made.
type Project struct {
	// Name is that of the server: lower-case letters, digits, "_" and "-", beginning
	// with a letter, at most 40 characters.
	Name string
	// Module is the path of its module; "" is example.com and the name.
	Module string
	// Version is that of the runtime that go.mod requires; "" leaves it to go mod tidy.
	Version string
}

// MaxName is the length of the longest name of a server or a tool.
const MaxName = 40

const runtime = "github.com/jptool/jptool"

// taken are the names that the source of a new server, or what is generated for it, declares.
var taken = map[string]bool{
	"SaveInput": true, "SaveQuestions": true, "SaveOptions": true,
	"NewServer": true, "CallSave": true, "SaveElicitor": true,
}

var serverName = regexp.MustCompile(`^[a-z][a-z0-9_-]*$`)

// Files returns the files of a new project, sorted by path. They build and pass their
// tests as they are, after "go mod tidy" and "go generate". A name or a module path
// that cannot be one is an error.
func (p Project) Files() ([]File, error) {
	if !serverName.MatchString(p.Name) || len(p.Name) > MaxName {
		return nil, fmt.Errorf("%q is no name of a server, which is [a-z][a-z0-9_-]* of at most %d characters", p.Name, MaxName)
	}
	if p.Module == "" {
		p.Module = "example.com/" + p.Name
	}
	if err := module.CheckPath(p.Module); err != nil {
		return nil, fmt.Errorf("--module: %w", err)
	}
	binary := ProgramName(p.Module)
	files := []File{{"go.mod", p.gomod()}}
	words := struct{ Server, Binary string }{p.Name, binary}
	for name, path := range map[string]string{
		"README.md": "README.md", "ci.yml": ".github/workflows/ci.yml", "gitignore": ".gitignore",
	} {
		text, err := template.ParseFS(templates.Files, "files/"+name)
		if err != nil {
			return nil, fmt.Errorf("reading a template: %w", err)
		}
		var b bytes.Buffer
		if err := text.Execute(&b, words); err != nil {
			return nil, fmt.Errorf("filling a template: %w", err)
		}
		files = append(files, File{path, b.Bytes()})
	}
	jp, err := jpConfig(p.Name, binary)
	if err != nil {
		return nil, err
	}
	files = append(files, File{".jp/config.toml", jp})
	server := exported(p.Name)
	if taken[server] {
		server += "Tools"
	}
	for path, source := range map[string]func(string) ([]byte, error){
		"main.go":      func(s string) ([]byte, error) { return mainSource(s, p.Name) },
		"save.go":      saveSource,
		"save_test.go": saveTest,
	} {
		data, err := source(server)
		if err != nil {
			return nil, fmt.Errorf("writing %s: %w", path, err)
		}
		files = append(files, File{path, data})
	}
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	return files, nil
}

func (p Project) gomod() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "module %s\n\ngo 1.26\n\ntool %s/cmd/jptoolgen\n", p.Module, runtime)
	if p.Version != "" {
		fmt.Fprintf(&b, "\nrequire %s %s\n", runtime, p.Version)
	}
	return b.Bytes()
}

// ProgramName returns what the go command calls the program of a module.
func ProgramName(path string) string {
	prefix, _, ok := module.SplitPathVersion(path)
	if !ok {
		prefix = path
	}
	return prefix[strings.LastIndexByte(prefix, '/')+1:]
}

// jpConfig configures JP for the tool that a new server has.
func jpConfig(name, binary string) ([]byte, error) {
	host, ok := hostconfig.Find("jp")
	if !ok {
		return nil, errors.New("there is no host jp")
	}
	option, err := json.Marshal(map[string]any{"properties": map[string]any{
		"always_replace": map[string]any{"type": "boolean", "description": alwaysReplaceDoc, "default": false},
	}})
	if err != nil {
		return nil, fmt.Errorf("writing the options: %w", err)
	}
	return host.Snippet(hostconfig.Entry{
		Name: name, Command: []string{binary, "--jp"},
		Contract: &manifest.Server{Name: name, Tools: []manifest.Tool{{
			Name:      "save",
			Questions: []manifest.Question{{ID: "replace", Description: replaceDoc}},
			Options:   option,
		}}},
	})
}

// exported makes a Go name of a name with underscores and dashes.
func exported(name string) string {
	var b strings.Builder
	upper := true
	for _, r := range name {
		if r == '_' || r == '-' {
			upper = true
			continue
		}
		if upper {
			r = unicode.ToUpper(r)
		}
		upper = false
		b.WriteRune(r)
	}
	return b.String()
}

// Write writes the files below dir, which it makes if it has to. If one of them is
// there already, nothing is written, and the error, which names all that are there,
// is an [fs.ErrExist].
func Write(dir string, list []File) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	var there []string
	for _, f := range list {
		if _, err := root.Lstat(filepath.FromSlash(f.Path)); err == nil {
			there = append(there, f.Path)
		} else if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	if len(there) > 0 {
		return fmt.Errorf("%s: %w", strings.Join(there, ", "), fs.ErrExist)
	}
	for _, f := range list {
		if err := write(root, f); err != nil {
			return err
		}
	}
	return nil
}

func write(root *os.Root, f File) error {
	name := filepath.FromSlash(f.Path)
	if err := root.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	return files.Create(root, name, f.Data, 0o666)
}
