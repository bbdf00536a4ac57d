package load

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
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

// sources returns the handwritten Go files of a directory, none if no file has a
// //jp: line.
func sources(dir string) (map[string][]byte, error) {
	files, err := handwrittenIn(dir)
	if err != nil {
		return nil, err
	}
	for _, data := range files {
		if isMarked(data) {
			return files, nil
		}
	}
	return nil, nil
}

func isMarked(data []byte) bool { return bytes.Contains(data, []byte("//jp:")) }

// handwrittenIn returns the handwritten Go files of a directory but its tests.
func handwrittenIn(dir string) (map[string][]byte, error) {
	files := map[string][]byte{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("looking for packages: %w", err)
	}
	for _, e := range entries {
		name := e.Name()
		if e.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") ||
			name == Generated || name[0] == '.' || name[0] == '_' {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return nil, fmt.Errorf("looking for packages: %w", err)
		}
		files[filepath.Join(dir, name)] = data
	}
	return files, nil
}
