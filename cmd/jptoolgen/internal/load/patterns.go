package load

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
)

// A place is a directory that matches a pattern.
type place struct {
	dir string
	// single is set if the pattern matches only one directory.
	single bool
}

// expand returns the directories that match patterns, relative to dir. A pattern is a directory, or an import
// path in the module of dir; a trailing ... includes all subdirectories.
func expand(dir string, patterns []string) ([]place, error) {
	if len(patterns) == 0 {
		patterns = []string{"."}
	}
	var places []place
	for _, pattern := range patterns {
		path, recursive := strings.CutSuffix(pattern, "...")
		path = strings.TrimSuffix(path, "/")
		root, err := locate(dir, path, pattern)
		if err != nil {
			return nil, err
		}
		if !recursive {
			places = append(places, place{root, true})
			continue
		}
		below, err := walk(root)
		if err != nil {
			return nil, err
		}
		for _, d := range below {
			places = append(places, place{dir: d})
		}
	}
	slices.SortStableFunc(places, func(x, y place) int { return strings.Compare(x.dir, y.dir) })
	return slices.CompactFunc(places, func(x, y place) bool { return x.dir == y.dir }), nil
}

// locate returns the directory that a pattern names. path is the pattern without the trailing "...".
func locate(dir, path, pattern string) (string, error) {
	path = cmp.Or(path, ".")
	found := path
	if path != "." && path != ".." && !strings.HasPrefix(path, "./") && !strings.HasPrefix(path, "../") && !filepath.IsAbs(path) {
		root, module, err := Module(dir)
		info, missing := os.Stat(filepath.Join(dir, path))
		isDir := missing == nil && info.IsDir()
		switch {
		case err != nil && isDir:
			return "", fmt.Errorf("%q is not an import path; write ./%s", pattern, pattern)
		case err != nil:
			return "", err
		}
		rel, ok := strings.CutPrefix(path, module)
		if !ok || rel != "" && rel[0] != '/' {
			if isDir {
				return "", fmt.Errorf("%q is not a package of module %s; write ./%s", pattern, module, pattern)
			}
			return "", fmt.Errorf("%q is neither a command nor a package of module %s; run jptoolgen --help for the commands", pattern, module)
		}
		found = filepath.Join(root, filepath.FromSlash(rel))
	}
	if !filepath.IsAbs(found) {
		found = filepath.Join(dir, filepath.FromSlash(found))
	}
	info, err := os.Stat(found)
	switch {
	case err != nil:
		return "", fmt.Errorf("directory %q does not exist", pattern)
	case !info.IsDir():
		return "", fmt.Errorf("%q is not a directory; specify the directory of a package", pattern)
	}
	return filepath.Clean(found), nil
}

// Module returns the root directory and the path of the module that contains dir.
func Module(dir string) (root, path string, err error) {
	for root = dir; ; root = filepath.Dir(root) {
		data, err := os.ReadFile(filepath.Join(root, "go.mod"))
		if err == nil {
			return root, modfile.ModulePath(data), nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return "", "", fmt.Errorf("reading go.mod: %w", err)
		}
		if filepath.Dir(root) == root {
			return "", "", fmt.Errorf("%s is not in a module: no go.mod in it or its parent directories; run go mod init", dir)
		}
	}
}

// walk returns root and the directories below it that the go command considers.
func walk(root string) ([]string, error) {
	var dirs []string
	target := root + string(filepath.Separator) // root may be a symbolic link
	err := filepath.WalkDir(target, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if !d.IsDir() {
			return nil
		}
		if name := d.Name(); path != target {
			if name[0] == '.' || name[0] == '_' || name == "testdata" || name == "vendor" || name == "node_modules" {
				return filepath.SkipDir
			}
			if _, err := os.Stat(filepath.Join(path, "go.mod")); err == nil {
				return filepath.SkipDir
			}
		}
		dirs = append(dirs, filepath.Clean(path))
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("looking for packages: %w", err)
	}
	return dirs, nil
}

// markedDirs returns the directories that have //jp: lines.
func markedDirs(places []place) ([]string, error) {
	var dirs []string
	for _, p := range places {
		is, err := isMarked(p.dir)
		if err != nil {
			return nil, fmt.Errorf("looking for packages: %w", err)
		}
		if is {
			dirs = append(dirs, p.dir)
		}
	}
	return dirs, nil
}

// isMarked reports whether a handwritten Go file in dir, except tests, has a //jp: line.
func isMarked(dir string) (bool, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return false, err
	}
	for _, e := range entries {
		name := e.Name()
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") ||
			name == Generated || name[0] == '.' || name[0] == '_' {
			continue
		}
		path := filepath.Join(dir, name)
		if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
			continue // the go command reports or ignores such a file
		}
		data, err := os.ReadFile(path)
		if err != nil || bytes.Contains(data, []byte("//jp:")) {
			return err == nil, err
		}
	}
	return false, nil
}

// A testLine is a directive in a test, where it has no effect.
type testLine struct {
	pos  token.Position
	name string
}

// testLines returns the first directive in each test in the directories, except for those that apply to lines of code.
func testLines(places []place) (lines []testLine) {
	for _, p := range places {
		names, err := filepath.Glob(filepath.Join(p.dir, "*_test.go"))
		if err != nil {
			continue // the name of the directory has brackets
		}
		for _, name := range names {
			data, err := os.ReadFile(name)
			if err != nil || !bytes.Contains(data, []byte("//jp:")) {
				continue // the go command reports a file that cannot be read
			}
			if line, ok := testLineIn(name, data); ok {
				lines = append(lines, line)
			}
		}
	}
	return lines
}

func testLineIn(name string, data []byte) (testLine, bool) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, data, syntax)
	if err != nil {
		return testLine{}, false
	}
	for _, group := range file.Comments {
		for _, c := range group.List {
			if d, ok := ast.ParseDirective(c.Slash, c.Text); ok && d.Tool == "jp" && d.Name != "allow" {
				return testLine{fset.Position(c.Slash), "//jp:" + d.Name}, true
			}
		}
	}
	return testLine{}, false
}

// reportTests reports directives in tests.
func reportTests(lines []testLine, list *diag.List) {
	for _, line := range lines {
		list.AddAt(line.pos, diag.MisplacedLine, "%s has no effect in a test", line.name).
			Suggest("move the declaration to a file whose name does not end in _test.go")
	}
}

// reportNone reports that no package has //jp: lines. It adds a finding for each directory that was
// named, but not for a pattern with "...", which may match no such package.
func reportNone(places []place, list *diag.List) {
	for _, p := range places {
		if p.single {
			list.AddAt(token.Position{Filename: p.dir, Line: 1, Column: 1}, diag.NoServer, "the package has no //jp:server line").
				Suggest("write //jp:server above a struct type, and //jp:tool above its methods")
		}
	}
}
