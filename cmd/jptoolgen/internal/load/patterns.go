package load

import (
	"bytes"
	"errors"
	"fmt"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
)

// A place is a directory that a pattern names.
type place struct {
	dir string
	// single says that the pattern names only this one.
	single bool
}

// expand returns the directories that patterns name, as seen from dir. Patterns
// are directories and import paths of the module dir is in, with ... for all below.
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

// locate returns the directory of a pattern without its dots.
func locate(dir, path, pattern string) (string, error) {
	if path == "" {
		path = "."
	}
	found := path
	if path != "." && path != ".." && !strings.HasPrefix(path, "./") && !strings.HasPrefix(path, "../") && !filepath.IsAbs(path) {
		root, module, err := moduleOf(dir)
		if err != nil {
			return "", err
		}
		rel, ok := strings.CutPrefix(path, module)
		if !ok || rel != "" && rel[0] != '/' {
			if info, err := os.Stat(filepath.Join(dir, path)); err == nil && info.IsDir() {
				return "", fmt.Errorf("%s is no package of module %s; write ./%s", pattern, module, pattern)
			}
			return "", fmt.Errorf("%s is no command of jptoolgen and no package of module %s; jptoolgen --help lists the commands", pattern, module)
		}
		found = filepath.Join(root, filepath.FromSlash(rel))
	}
	if !filepath.IsAbs(found) {
		found = filepath.Join(dir, filepath.FromSlash(found))
	}
	info, err := os.Stat(found)
	if err != nil || !info.IsDir() {
		return "", fmt.Errorf("%s: there is no such directory", pattern)
	}
	return filepath.Clean(found), nil
}

// moduleOf returns the root and the path of the module that dir is in.
func moduleOf(dir string) (root, path string, err error) {
	for root = dir; ; root = filepath.Dir(root) {
		data, err := os.ReadFile(filepath.Join(root, "go.mod"))
		if err == nil {
			return root, modfile.ModulePath(data), nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return "", "", fmt.Errorf("reading go.mod: %w", err)
		}
		if filepath.Dir(root) == root {
			return "", "", errors.New("there is no go.mod here or above; write go mod init")
		}
	}
}

// walk returns the directories from root down that the go command would look at.
func walk(root string) ([]string, error) {
	var dirs []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if !d.IsDir() {
			return nil
		}
		if name := d.Name(); path != root {
			if name[0] == '.' || name[0] == '_' || name == "testdata" || name == "vendor" || name == "node_modules" {
				return filepath.SkipDir
			}
			if _, err := os.Stat(filepath.Join(path, "go.mod")); err == nil {
				return filepath.SkipDir
			}
		}
		dirs = append(dirs, path)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("looking for packages: %w", err)
	}
	return dirs, nil
}

// marked returns the directories with //jp: lines.
func marked(places []place) ([]string, error) {
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

// isMarked reports whether a handwritten Go file of a directory, but its tests, has a
// //jp: line.
func isMarked(dir string) (bool, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return false, err
	}
	for _, e := range entries {
		name := e.Name()
		if e.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") ||
			name == Generated || name[0] == '.' || name[0] == '_' {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || bytes.Contains(data, []byte("//jp:")) {
			return err == nil, err
		}
	}
	return false, nil
}

// nothing is the outcome of a run without //jp: lines: fine for a pattern of many
// packages, a finding about each that was named.
func nothing(places []place, list *diag.List) {
	for _, p := range places {
		if p.single {
			list.AddAt(token.Position{Filename: p.dir, Line: 1, Column: 1}, diag.NoServer, "there is no //jp:server here").
				Suggest("write //jp:server above a struct type, and //jp:tool above its methods")
		}
	}
}
