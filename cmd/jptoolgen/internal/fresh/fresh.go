// Package fresh remembers from which inputs generated files were made, so that jptoolgen need not make them again.
//
// An input is compared by its content, never by its time. For each set of roots, the user's cache directory has a file
// named by the digest of what can be read without the go command: jptoolgen, the directories of the roots and
// the generated files. It holds the digest of the rest: go env, the dependencies and their directories. It also lists
// these directories, so that they can be read while the go command runs. Files of the cache that are missing, damaged or not writable only make jptoolgen slower.
package fresh

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"hash"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/files"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/load"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/lock"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/output"
)

const (
	maxEntries = 1000     // maximum number of files in the cache
	maxEntry   = 64 << 10 // maximum size of one, in bytes
)

// A State is the content of the inputs when a run began.
type State struct {
	roots  *load.Roots
	inputs string // digest of what is read without the go command, except the generated files
	env    string // digest of go env; "" before Loaded
	rest   string // digest of env and the dependencies
}

// Begin reads the directories of the roots. It returns nil if the inputs cannot be compared.
func Begin(roots *load.Roots) *State {
	if len(roots.Marked) == 0 || hasOtherSources() {
		return nil
	}
	inputs, err := rootInputs(roots)
	if err != nil {
		return nil
	}
	return &State{roots: roots, inputs: inputs}
}

// Current reports whether the generated files are those that a run would make, and that run would report nothing.
func (s *State) Current(ctx context.Context) bool {
	if s == nil {
		return false
	}
	var made []output.File
	for _, dir := range s.roots.Marked {
		for _, name := range []string{load.Generated, lock.File} {
			path := filepath.Join(dir, name)
			data, err := files.Read(path, output.MaxFileSize)
			if err == nil {
				made = append(made, output.File{Path: path, Data: data})
			}
		}
	}
	name, err := s.entry(made)
	if err != nil {
		return false
	}
	entry, err := files.Read(name, maxEntry)
	if err != nil {
		return false
	}
	want, dirs, _ := strings.Cut(string(entry), "\n")
	sums := newDirSums()
	env, envErr := "", error(nil)
	var work sync.WaitGroup
	work.Go(func() {
		for dir := range strings.SplitSeq(dirs, "\n") {
			_, _ = sums.of(dir) // read while the go command runs; if it is a dependency, rest returns the error
		}
	})
	work.Go(func() { env, envErr = goEnv(ctx, s.roots.Dir) })
	dependencies, ok := s.roots.List(ctx)
	work.Wait()
	if !ok || envErr != nil {
		return false
	}
	got, err := sums.rest(env, s.roots, dependencies)
	return err == nil && got == want
}

// Loaded must be called when the roots are loaded, before their models are built.
func (s *State) Loaded(ctx context.Context) {
	if s == nil {
		return
	}
	dependencies, ok := s.roots.Loaded()
	if !ok {
		return
	}
	env, err := goEnv(ctx, s.roots.Dir)
	if err != nil {
		return
	}
	if s.rest, err = newDirSums().rest(env, s.roots, dependencies); err == nil {
		s.env = env
	}
}

// Save stores that made are the files of these inputs, unless an input has changed since the run began.
func (s *State) Save(made []output.File) {
	if s == nil || s.env == "" {
		return
	}
	dependencies, ok := s.roots.Loaded()
	if !ok {
		return
	}
	inputs, err := rootInputs(s.roots)
	if err != nil || inputs != s.inputs {
		return
	}
	if now, err := newDirSums().rest(s.env, s.roots, dependencies); err != nil || now != s.rest {
		return
	}
	text := s.rest
	for _, p := range dependencies {
		if !p.Standard {
			text += "\n" + p.Dir
		}
	}
	if name, err := s.entry(made); err == nil && len(text) <= maxEntry {
		store(name, text)
	}
}

// store writes a file of the cache. Errors are ignored, because the cache only saves time.
func store(name, text string) {
	root, err := files.Make(filepath.Dir(name), 0o700)
	if err != nil {
		return
	}
	defer root.Close()
	if entries, err := fs.ReadDir(root.FS(), "."); err == nil && len(entries) >= maxEntries {
		at := func(e fs.DirEntry) time.Time {
			if info, err := e.Info(); err == nil {
				return info.ModTime()
			}
			return time.Time{}
		}
		slices.SortFunc(entries, func(x, y fs.DirEntry) int { return at(x).Compare(at(y)) })
		for _, e := range entries[:len(entries)-maxEntries/2] {
			_ = root.Remove(e.Name())
		}
	}
	_ = files.WriteIn(root, filepath.Base(name), []byte(text), 0o600)
}

// entry returns the name of the file for these inputs and generated files. Line endings do not matter, as in
// [output.Changed].
func (s *State) entry(made []output.File) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	h := sha256.New()
	add(h, s.inputs)
	slices.SortFunc(made, func(x, y output.File) int { return strings.Compare(x.Path, y.Path) })
	for _, f := range made {
		add(h, f.Path, string(bytes.ReplaceAll(f.Data, []byte("\r\n"), []byte("\n"))))
	}
	return filepath.Join(cache, "jptool", "generate", sum(h)), nil
}

// hasOtherSources reports whether source or packages come from elsewhere than the files that the go command finds.
func hasOtherSources() bool {
	driver := os.Getenv("GOPACKAGESDRIVER")
	if driver == "" {
		_, err := exec.LookPath("gopackagesdriver")
		return err == nil
	}
	return driver != "off"
}

// rootInputs returns the digest of jptoolgen, the patterns, the directories of the roots, and their modules.
func rootInputs(roots *load.Roots) (string, error) {
	h := sha256.New()
	own, err := self()
	if err != nil {
		return "", err
	}
	add(h, own, roots.Dir)
	add(h, roots.Patterns...)
	modules := map[string]bool{}
	for _, dir := range roots.Marked {
		module, _, err := load.Module(dir)
		if err != nil {
			return "", err
		}
		modules[module] = true
		if err := addDir(h, dir, func(name string) bool { return name != load.Generated && name != lock.File }); err != nil {
			return "", err
		}
	}
	for _, module := range slices.Sorted(maps.Keys(modules)) {
		for _, name := range []string{"go.mod", "go.sum", "vendor/modules.txt"} {
			if err := addFile(h, filepath.Join(module, filepath.FromSlash(name)), false); err != nil {
				return "", err
			}
		}
	}
	return sum(h), nil
}

// self returns what identifies this program: its build ID, or the digest of its file if it has none.
func self() (string, error) {
	name, err := os.Executable()
	if err != nil {
		return "", err
	}
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	start := make([]byte, 64<<10)
	n, err := io.ReadFull(f, start)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return "", err
	}
	_, after, _ := bytes.Cut(start[:n], []byte("\xff Go build ID: \""))
	if id, _, found := bytes.Cut(after, []byte("\"\n \xff")); found && len(id) > 0 {
		return string(id), nil
	}
	h := sha256.New()
	h.Write(start[:n])
	_, err = io.Copy(h, f)
	return sum(h), err
}

// goEnv returns the digest of what go env prints and of the files that it names.
func goEnv(ctx context.Context, dir string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", "env", "-json")
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		return "", err
	}
	var env map[string]string
	if err := json.Unmarshal(out, &env); err != nil {
		return "", err
	}
	if flags := env["GOFLAGS"]; strings.Contains(flags, "-overlay") || strings.Contains(flags, "-modfile") {
		return "", fmt.Errorf("GOFLAGS=%s replaces files", flags)
	}
	delete(env, "GOGCCFLAGS") // contains the name of a temporary directory
	h := sha256.New()
	add(h, os.Getenv("GODEBUG"))
	for _, name := range slices.Sorted(maps.Keys(env)) {
		add(h, name, env[name])
	}
	for _, name := range []string{env["GOMOD"], env["GOWORK"]} {
		if err := addFile(h, name, false); err != nil {
			return "", err
		}
	}
	return sum(h), nil
}

// dirSums holds the digests of directories, each of which is read once.
type dirSums struct {
	mu    sync.Mutex
	known map[string]func() (string, error)
}

func newDirSums() *dirSums { return &dirSums{known: map[string]func() (string, error){}} }

func (d *dirSums) of(dir string) (string, error) {
	d.mu.Lock()
	get := d.known[dir]
	if get == nil {
		get = sync.OnceValues(func() (string, error) {
			h := sha256.New()
			err := addDir(h, dir, func(name string) bool { return !strings.HasSuffix(name, "_test.go") })
			return sum(h), err
		})
		d.known[dir] = get
	}
	d.mu.Unlock()
	return get()
}

// rest returns the digest of env, the dependencies and their directories. A package of the standard library is
// identified by its build ID alone: the generator reads no other file of it.
func (d *dirSums) rest(env string, roots *load.Roots, dependencies []load.Dependency) (string, error) {
	h := sha256.New()
	add(h, env)
	known := map[string]bool{}
	for _, p := range dependencies {
		add(h, p.Path, p.Dir, p.Inputs)
		if p.Standard {
			continue
		}
		files, err := d.of(p.Dir)
		if err != nil {
			return "", err
		}
		add(h, files)
		known[p.Dir] = true
	}
	others, err := elsewhere(roots, known)
	if err != nil {
		return "", err
	}
	for _, dir := range others {
		files, err := d.of(dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		add(h, dir, files)
	}
	return sum(h), nil
}

// elsewhere returns the directories of the packages of a module that only files for other platforms or tags import,
// directly or through other packages. The digests in generated code cover their declarations. known holds the
// directories of the dependencies.
func elsewhere(roots *load.Roots, known map[string]bool) ([]string, error) {
	seen := map[string]bool{}
	for _, dir := range roots.Marked {
		seen[dir] = true
	}
	var others []string
	for _, root := range roots.Marked {
		module, path, err := load.Module(root)
		if err != nil {
			return nil, err
		}
		for next := []string{root}; len(next) > 0; {
			dir := next[0]
			next = next[1:]
			names, err := filepath.Glob(filepath.Join(dir, "*.go"))
			if err != nil {
				return nil, err // the name of the directory is not a valid pattern
			}
			for _, name := range names {
				if filepath.Base(name) == load.Generated || strings.HasSuffix(name, "_test.go") {
					continue
				}
				file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
				if file == nil {
					return nil, err
				}
				for _, spec := range file.Imports {
					rel, ours := strings.CutPrefix(strings.Trim(spec.Path.Value, "\"`"), path+"/")
					at := filepath.Join(module, filepath.FromSlash(rel))
					if !ours || seen[at] {
						continue
					}
					seen[at] = true
					next = append(next, at)
					if !known[at] {
						others = append(others, at)
					}
				}
			}
		}
	}
	slices.Sort(others)
	return others, nil
}

func sum(h hash.Hash) string { return hex.EncodeToString(h.Sum(nil)) }

// add adds texts to a digest so that different lists have different digests.
func add(h hash.Hash, texts ...string) {
	fmt.Fprintf(h, "%d\n", len(texts))
	for _, text := range texts {
		fmt.Fprintf(h, "%d %s\n", len(text), text)
	}
}

// addDir adds the names in a directory and the content of its files with Go source and JSON, for the names that are
// inputs.
func addDir(h hash.Hash, dir string, isInput func(name string) bool) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	add(h, dir)
	for _, e := range entries {
		name := e.Name()
		if !isInput(name) {
			continue
		}
		add(h, name, e.Type().String())
		if extension := filepath.Ext(name); !e.IsDir() && (extension == ".go" || extension == ".json") {
			if err := addFile(h, filepath.Join(dir, name), e.Type().IsRegular()); err != nil {
				return err
			}
		}
	}
	return nil
}

// addFile adds the content of a file, or that it does not exist. regular is set if the file is known to be regular.
func addFile(h hash.Hash, name string, regular bool) error {
	read := func() ([]byte, error) { return files.Read(name, output.MaxFileSize) }
	if regular {
		read = func() ([]byte, error) { return os.ReadFile(name) } // faster, and does not block
	}
	data, err := read()
	if err != nil {
		if _, gone := os.Lstat(name); !errors.Is(gone, fs.ErrNotExist) {
			return err
		}
	}
	add(h, name, fmt.Sprint(err == nil))
	fmt.Fprintln(h, len(data))
	h.Write(data)
	return nil
}
