// Package fresh remembers from which inputs generated files were made, so that jptoolgen need not make them again.
//
// An input is compared by its content, never by its time. For each set of roots, the user's cache directory has a file
// that is named by the digest of what can be read without the go command: jptoolgen, the directories of the roots and
// the generated files. It holds the digest of the rest: go env, the dependencies and their directories. Files that are
// missing, damaged or not writable only make jptoolgen slower.
package fresh

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/files"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/load"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/lock"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/output"
)

// maxEntries is the maximum number of files in the cache. Each has less than 100 bytes.
const maxEntries = 1000

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
	want, err := files.Read(name, 1<<10)
	if err != nil {
		return false
	}
	env, envErr := "", error(nil)
	var work sync.WaitGroup
	work.Go(func() { env, envErr = goEnv(ctx, s.roots.Dir) })
	dependencies, ok := s.roots.List(ctx)
	work.Wait()
	if !ok || envErr != nil {
		return false
	}
	got, err := rest(env, dependencies)
	return err == nil && got == string(want)
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
	if s.rest, err = rest(env, dependencies); err == nil {
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
	if now, err := rest(s.env, dependencies); err != nil || now != s.rest {
		return
	}
	if name, err := s.entry(made); err == nil {
		store(name, s.rest)
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
		if err := addDir(h, dir, load.Generated, lock.File); err != nil {
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

// rest returns the digest of dependencies and their directories. A package of the standard library is identified by
// its build ID alone: its other files describe no types of this platform.
func rest(env string, dependencies []load.Dependency) (string, error) {
	sums := make([]string, len(dependencies))
	var work errgroup.Group
	work.SetLimit(runtime.GOMAXPROCS(0))
	for i, d := range dependencies {
		if d.Standard {
			continue
		}
		work.Go(func() error {
			h := sha256.New()
			err := addDir(h, d.Dir)
			sums[i] = sum(h)
			return err
		})
	}
	if err := work.Wait(); err != nil {
		return "", err
	}
	h := sha256.New()
	add(h, env)
	for i, d := range dependencies {
		add(h, d.Path, d.Dir, d.Inputs, sums[i])
	}
	return sum(h), nil
}

func sum(h hash.Hash) string { return hex.EncodeToString(h.Sum(nil)) }

// add adds texts to a digest so that different lists have different digests.
func add(h hash.Hash, texts ...string) {
	fmt.Fprintf(h, "%d\n", len(texts))
	for _, text := range texts {
		fmt.Fprintf(h, "%d %s\n", len(text), text)
	}
}

// addDir adds the names in a directory and the content of its files with Go source and JSON, except those excluded.
func addDir(h hash.Hash, dir string, excluded ...string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	add(h, dir)
	for _, e := range entries {
		name := e.Name()
		if slices.Contains(excluded, name) {
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
