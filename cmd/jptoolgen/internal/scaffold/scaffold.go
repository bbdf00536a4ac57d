// Package scaffold creates new servers, and new tools for existing servers.
package scaffold

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/module"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/files"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/schema"
	"github.com/jptool/jptool/templates"
)

// A File is a file to write.
type File struct {
	// Path is relative and has forward slashes.
	Path string
	Data []byte
}

// A Project describes a new server.
type Project struct {
	// Name is the name of the server: lower-case letters, digits, "_" and "-", starting with a letter, at most
	// 40 characters.
	Name string
	// Module is the path of the Go module. The default is example.com/ followed by the name.
	Module string
	// Version is the version of the runtime in go.mod. If it is empty, go mod tidy chooses a version.
	Version string
}

const runtime = "github.com/jptool/jptool"

// Generator is the package path of jptoolgen, which go.mod lists as a tool.
const Generator = runtime + "/cmd/jptoolgen"

// taken are the names that the source of a new server and its generated code declare.
var taken = map[string]bool{
	"SaveInput": true, "SaveQuestions": true, "SaveOptions": true,
	"NewServer": true, "CallSave": true, "SaveElicitor": true,
}

// Files returns the files of a new project, sorted by path. After "go mod tidy" and "go generate", they build
// and pass their tests. Files returns an error for an invalid name or module path.
func (p Project) Files() ([]File, error) {
	list, err := Server(p.Name)
	if err != nil {
		return nil, err
	}
	p.Module = cmp.Or(p.Module, "example.com/"+p.Name)
	if err := module.CheckPath(p.Module); err != nil {
		return nil, fmt.Errorf("--module: %w", err)
	}
	for path, name := range map[string]string{
		"README.md": "README.md", ".github/workflows/ci.yml": "ci.yml",
		".gitignore": "gitignore", ".gitattributes": "gitattributes",
	} {
		data, err := fillTemplate("project/"+name, "my-notes", p.Name, "PROGRAM", ProgramName(p.Module))
		if err != nil {
			return nil, err
		}
		list = append(list, File{path, data})
	}
	mod, err := p.GoMod()
	if err != nil {
		return nil, err
	}
	list = append(list, mod)
	slices.SortFunc(list, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	return list, nil
}

// JP returns a configuration file for JP with the tools of the project as local tools.
func (p Project) JP() ([]byte, error) {
	return fillTemplate("project/jp.toml", "PROGRAM", ProgramName(cmp.Or(p.Module, "example.com/"+p.Name)))
}

// Server returns the Go files of a new server for a directory in an existing module, sorted by path. It returns
// an error for an invalid name.
func Server(name string) ([]File, error) {
	if !schema.ValidServerName(name) {
		return nil, fmt.Errorf("invalid server name %q: must match [a-z][a-z0-9_-]* and be at most %d characters",
			name, schema.MaxName)
	}
	server := exportedName(name)
	if taken[server] {
		server += "Tools"
	}
	var list []File
	for _, path := range []string{"main.go", "save.go", "save_test.go"} {
		data, err := fillTemplate("server/"+path, "my-notes", name, "MyNotes", server)
		if err != nil {
			return nil, err
		}
		list = append(list, File{path, data})
	}
	return list, nil
}

// fillTemplate returns a template in which words are replaced. words holds pairs of an old and a new word.
func fillTemplate(template string, words ...string) ([]byte, error) {
	text, err := templates.Files.ReadFile(template)
	if err != nil {
		return nil, fmt.Errorf("reading a template: %w", err)
	}
	return []byte(strings.NewReplacer(words...).Replace(string(text))), nil
}

// GoMod returns the go.mod of a new project.
func (p Project) GoMod() (File, error) {
	data, err := fillTemplate("project/gomod", "MODULE", cmp.Or(p.Module, "example.com/"+p.Name))
	if p.Version != "" {
		data = fmt.Appendf(data, "\nrequire %s %s\n", runtime, p.Version)
	}
	return File{"go.mod", data}, err
}

// ProgramName returns the name that the go command gives the program of a module.
func ProgramName(path string) string {
	prefix, _, ok := module.SplitPathVersion(path)
	if !ok {
		prefix = path
	}
	return prefix[strings.LastIndexByte(prefix, '/')+1:]
}

// exportedName converts an ASCII name with underscores and dashes to an exported Go name.
func exportedName(name string) string {
	words := strings.FieldsFunc(name, func(r rune) bool { return r == '_' || r == '-' })
	for i, word := range words {
		words[i] = strings.ToUpper(word[:1]) + word[1:]
	}
	return strings.Join(words, "")
}

// Write writes files below dir, which is created if necessary. If Write fails, it removes the files that it has
// written. If some of the files already exist, the error lists the existing files and wraps [fs.ErrExist].
func Write(dir string, list []File) error {
	root, err := files.Make(dir, 0o777)
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
	for i, f := range list {
		name := filepath.FromSlash(f.Path)
		err := root.MkdirAll(filepath.Dir(name), 0o777)
		if err == nil {
			err = files.Create(root, name, f.Data, 0o666)
		}
		if err != nil {
			for _, written := range list[:i] {
				_ = root.Remove(filepath.FromSlash(written.Path)) // a leftover file would make the next run fail
			}
			return err
		}
	}
	return nil
}

// Main returns the main file of a server. The parameters are the name of the server, the name of its type, the
// lines of the type's comment, and its directives.
func Main(name, typ string, doc, directives []string) ([]byte, error) {
	var comment []string
	for _, line := range doc {
		comment = append(comment, strings.TrimRight("// "+line, " "))
	}
	return fillTemplate("server/main.go",
		"// MyNotes stores text in files.\n//\n//jp:server name=my-notes list-budget=2000", strings.Join(append(comment, directives...), "\n"),
		"my-notes", name, "MyNotes", typ)
}
