// Package fresh remembers runs of the generator that reported nothing and changed nothing, so that jptoolgen need not
// repeat them.
//
// An input is compared by its content, never by its time. For each set of roots with their files, including the
// generated ones, the user's cache directory has a file that holds the digest of all other inputs: jptoolgen, the
// settings of the go command, what it lists about the roots and their dependencies, and the directories of the
// dependencies. The file is empty after the first run, which need not read these. A run whose inputs cannot all be
// known is not remembered. Files of the cache that are missing, damaged or not writable only make jptoolgen slower.
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
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/files"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/load"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/output"
)

// maxEntries is the maximum number of files in the cache.
const maxEntries = 1000

// A State is the content of the inputs when a run began.
type State struct {
	roots *load.Roots
	mode  string
	name  string // the file in the cache
	rest  string // the digest of the inputs that the name does not depend on; "" if they were not read
}

// Current reports whether a run in the same mode with the same inputs reported nothing and changed nothing. The State
// may be nil.
func Current(ctx context.Context, roots *load.Roots, mode string) (*State, bool) {
	if len(roots.Marked) == 0 || hasDriver() {
		return nil, false
	}
	s := &State{roots: roots, mode: mode}
	var err error
	if s.name, err = s.entry(); err != nil {
		return nil, false
	}
	known, err := files.Read(s.name, sha256.Size*2)
	if errors.Is(err, fs.ErrNotExist) {
		return s, false
	}
	if s.rest, err = s.others(ctx); err != nil {
		return nil, false
	}
	return s, s.rest == string(known)
}

// Save stores that the run reported nothing. If it changed a file, or another program changed an input since the run
// began, then Save only stores that the next run is to read all inputs.
func (s *State) Save(ctx context.Context) {
	if s == nil {
		return
	}
	rest := ""
	if s.rest != "" {
		again, err := s.others(ctx)
		if err != nil {
			return
		}
		if again == s.rest {
			rest = again
		}
	}
	name, err := s.entry()
	if err != nil {
		return
	}
	if name != s.name || rest == "" {
		if _, err := os.Lstat(name); err == nil {
			return // an earlier run stored more
		}
		rest = ""
	}
	store(name, rest)
}

// store writes a file of the cache. It ignores errors, because the cache only saves time.
func store(name, text string) {
	root, err := files.Make(filepath.Dir(name), 0o700)
	if err != nil {
		return
	}
	defer root.Close()
	if entries, err := fs.ReadDir(root.FS(), "."); err == nil && len(entries) >= maxEntries {
		for _, e := range entries {
			_ = root.Remove(e.Name())
		}
	}
	_ = files.WriteIn(root, filepath.Base(name), []byte(text), 0o600)
}

// hasDriver reports whether another program than the go command finds the packages.
func hasDriver() bool {
	driver := os.Getenv("GOPACKAGESDRIVER")
	if driver == "" {
		_, err := exec.LookPath("gopackagesdriver")
		return err == nil
	}
	return driver != "off"
}

// entry returns the name of the file for the mode, the patterns and the directories of the roots.
func (s *State) entry() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	h := sha256.New()
	add(h, s.mode, s.roots.Dir)
	add(h, s.roots.Patterns...)
	for _, dir := range s.roots.Marked {
		if err := addDir(h, dir); err != nil {
			return "", err
		}
	}
	return filepath.Join(cache, "jptool", "generate", sum(h)), nil
}

// others returns the digest of the inputs that the name of the entry does not depend on.
func (s *State) others(ctx context.Context) (string, error) {
	inputs := []func(context.Context, hash.Hash) error{program, s.settings, s.packages}
	sums := make([]string, len(inputs))
	group, ctx := errgroup.WithContext(ctx)
	for i, input := range inputs {
		group.Go(func() error {
			h := sha256.New()
			err := input(ctx, h)
			sums[i] = sum(h)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return "", err
	}
	h := sha256.New()
	add(h, sums...)
	return sum(h), nil
}

// program adds the content of the running program. A build ID does not identify it, because the linker can set one.
func program(_ context.Context, h hash.Hash) error {
	f, err := os.Open("/proc/self/exe") // on Linux, the program that runs even if its file has been replaced
	if err != nil {
		name, err := os.Executable()
		if err != nil {
			return err
		}
		if f, err = os.Open(name); err != nil {
			return err
		}
	}
	defer f.Close()
	_, err = io.Copy(h, f)
	return err
}

// settings adds what go env prints and the files of modules that it names.
func (s *State) settings(ctx context.Context, h hash.Hash) error {
	out, err := goCommand(ctx, s.roots.Dir, "env", "-json")
	if err != nil {
		return err
	}
	var env map[string]string
	if err := json.Unmarshal(out, &env); err != nil {
		return err
	}
	for _, flag := range []string{"-overlay", "-modfile", "-toolexec"} {
		if strings.Contains(env["GOFLAGS"], flag) {
			return fmt.Errorf("GOFLAGS=%s replaces files", env["GOFLAGS"])
		}
	}
	delete(env, "GOGCCFLAGS") // contains the name of a temporary directory
	sorted, err := json.Marshal(env)
	if err != nil {
		return err
	}
	add(h, string(sorted), os.Getenv("GODEBUG"))
	mod, work := env["GOMOD"], env["GOWORK"]
	vendored := filepath.Join(filepath.Dir(mod), "vendor", "modules.txt")
	for _, name := range []string{mod, sumOf(mod), vendored, work, sumOf(work)} {
		if err := addFile(h, name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// sumOf returns the name of the checksum file next to go.mod or go.work.
func sumOf(name string) string {
	if strings.HasSuffix(name, ".work") {
		return name + ".sum"
	}
	return strings.TrimSuffix(name, ".mod") + ".sum"
}

// A listed is a package in the output of go list.
type listed struct {
	ImportPath, Dir, BuildID            string
	Standard, DepOnly                   bool
	CgoFiles, SwigFiles, IgnoredGoFiles []string
	Module                              *struct {
		Path, Dir string
		Main      bool
	}
}

// packages adds the roots and their dependencies. The build ID of a package identifies the files and flags that it is
// compiled from. The generator reads no other file of the standard library.
func (s *State) packages(ctx context.Context, h hash.Hash) error {
	args := []string{"list", "-export", "-deps", "-buildvcs=false", "-pgo=off", "-trimpath=false",
		"-json=ImportPath,Dir,BuildID,Standard,DepOnly,CgoFiles,SwigFiles,IgnoredGoFiles,Module", "--"}
	out, err := goCommand(ctx, s.roots.Dir, append(args, s.roots.Marked...)...)
	if err != nil {
		return err // such as a package that does not compile
	}
	h.Write(out)
	all, found := []listed{}, map[string]bool{}
	for in := json.NewDecoder(bytes.NewReader(out)); in.More(); {
		var p listed
		if err := in.Decode(&p); err != nil {
			return err
		}
		if p.BuildID == "" && p.ImportPath != "unsafe" {
			return fmt.Errorf("%s has no build ID", p.ImportPath)
		}
		found[p.ImportPath] = true
		if !p.Standard {
			all = append(all, p)
		}
	}
	for _, p := range all {
		switch {
		case len(p.CgoFiles)+len(p.SwigFiles) > 0:
			return fmt.Errorf("%s depends on the system's files", p.ImportPath)
		case p.Module == nil || !p.DepOnly && !p.Module.Main:
			return fmt.Errorf("%s is not in a main module", p.ImportPath)
		}
		if p.Module.Main {
			if err := p.addImports(h, p.Dir, p.IgnoredGoFiles, found); err != nil {
				return err
			}
		}
		if p.DepOnly {
			if err := addDir(h, p.Dir); err != nil {
				return err
			}
		}
	}
	return nil
}

// addImports adds the packages of the module that only files that are not built import, directly or through other
// packages. The generator reads their declarations, but go list does not list them. names are files in dir, and found
// holds the import paths of the packages that are known.
func (p *listed) addImports(h hash.Hash, dir string, names []string, found map[string]bool) error {
	for _, name := range names {
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, name), nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range file.Imports {
			path, err := strconv.Unquote(spec.Path.Value)
			rel, ours := strings.CutPrefix(path, p.Module.Path+"/")
			if err != nil || !filepath.IsLocal(rel) {
				return fmt.Errorf("%s imports %s", name, spec.Path.Value)
			}
			if !ours || found[path] {
				continue
			}
			found[path] = true
			at := filepath.Join(p.Module.Dir, rel)
			if err := addDir(h, at); err != nil {
				return err
			}
			for up := at; up != p.Module.Dir; up = filepath.Dir(up) {
				if _, err := os.Lstat(filepath.Join(up, "go.mod")); !errors.Is(err, fs.ErrNotExist) {
					return fmt.Errorf("%s may be in another module", at)
				}
			}
			others, err := fs.Glob(os.DirFS(at), "*.go")
			if err != nil {
				return err
			}
			if err := p.addImports(h, at, others, found); err != nil {
				return err
			}
		}
	}
	return nil
}

// goCommand returns the output of the go command in dir.
func goCommand(ctx context.Context, dir string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	return cmd.Output()
}

func sum(h hash.Hash) string { return hex.EncodeToString(h.Sum(nil)) }

// add adds texts to a digest so that different lists have different digests.
func add(h hash.Hash, texts ...string) { fmt.Fprintf(h, "%d %q\n", len(texts), texts) }

// addDir adds the names in a directory and the content of its files with Go source and JSON. It returns an error if a
// file claims with a //line comment to be another file, which the generator would read, or if the name of the directory
// is a pattern.
func addDir(h hash.Hash, dir string) error {
	if strings.ContainsAny(filepath.ToSlash(dir), `*?[\`) {
		return fmt.Errorf("the name %q is a pattern", dir)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	add(h, dir)
	for _, e := range entries {
		add(h, e.Name(), e.Type().String())
		if extension := filepath.Ext(e.Name()); !e.IsDir() && slices.Contains([]string{".go", ".json"}, extension) {
			if err := addFile(h, filepath.Join(dir, e.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

// addFile adds the content of a file.
func addFile(h hash.Hash, name string) error {
	data, err := files.Read(name, output.MaxFileSize)
	if err != nil {
		return err
	}
	claims := bytes.Contains(data, []byte("//line ")) || bytes.Contains(data, []byte("/*line "))
	if claims && filepath.Ext(name) == ".go" {
		return fmt.Errorf("%s contains //line", name)
	}
	add(h, name, strconv.Itoa(len(data)))
	h.Write(data)
	return nil
}
