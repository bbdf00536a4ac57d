package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"
	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/files"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/hostconfig"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/load"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/output"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/scaffold"
)

func initCommand() command {
	var module string
	added := map[string]*string{}
	var jp jpFlags
	return command{
		name:  "init",
		usage: "jptoolgen init NAME [flags]\n       jptoolgen init DIR/NAME\n       jptoolgen init --tool|--resource|--prompt NAME",
		help: `Create a server in a new directory NAME: a module with one tool (which asks a
question and has an option), its tests, a README and a CI file. If the directory is in a
JP workspace, add the tool to the configuration of the workspace. With a path, such as cmd/notes or ./notes, create the server as a package of the
current module: its Go files and their test. With --tool, --resource or --prompt, add
a tool, a resource or a prompt, and its test, to the server in the current directory.

Existing files are never overwritten.`,
		flags: func(flags *pflag.FlagSet) {
			flags.StringVar(&module, "module", "", "`path` of the module (default example.com/NAME)")
			for _, kind := range scaffold.Kinds {
				added[kind] = flags.String(kind, "", "`name` of a "+kind+" to add to the server in the current directory")
			}
			flags.BoolVar(&jp.create, "create-workspace", false, "outside of a JP workspace, create NAME/.jp/config.toml")
			flags.BoolVar(&jp.skip, "no-jp", false, "do not change the configuration of a JP workspace")
		},
		run: func(ctx context.Context, env Env, flags *pflag.FlagSet) error {
			kind := ""
			for _, k := range scaffold.Kinds {
				if *added[k] == "" {
					continue
				}
				if kind != "" {
					return fmt.Errorf("--%s cannot be used with --%s", kind, k)
				}
				kind = k
			}
			switch {
			case jp.create && jp.skip:
				return errors.New("--create-workspace cannot be used with --no-jp")
			case kind != "" && (flags.NArg() > 0 || module != "" || jp.create || jp.skip):
				return fmt.Errorf("init --%s NAME takes no other arguments", kind)
			case kind != "":
				return addTo(env, kind, *added[kind])
			case flags.NArg() == 0:
				return errors.New("missing server name; run jptoolgen init NAME")
			case flags.NArg() > 1:
				return fmt.Errorf("unexpected argument %q; init takes one name", flags.Arg(1))
			case slices.Contains([]string{"vendor", "testdata"}, filepath.Base(flags.Arg(0))):
				return fmt.Errorf("invalid server name %q: the go command ignores directories with this name; choose another name", filepath.Base(flags.Arg(0)))
			case flags.Arg(0) == "." || strings.ContainsAny(flags.Arg(0), `/\`):
				if module != "" {
					return errors.New("--module requires a new module; run jptoolgen init NAME --module PATH")
				}
				if jp.create {
					return errors.New("--create-workspace requires a new module; run jptoolgen init NAME --create-workspace")
				}
				return newServer(env, flags.Arg(0))
			}
			return newProject(ctx, env, flags.Arg(0), module, jp)
		},
	}
}

func newProject(ctx context.Context, env Env, name, module string, jp jpFlags) error {
	project := scaffold.Project{Name: name, Module: module, Version: releasedVersion()}
	list, err := project.Files()
	if err != nil {
		return err
	}
	dir := filepath.Join(env.Dir, name)
	if hasGoFiles(dir) {
		return fmt.Errorf("nothing was written: %s already has Go files; choose another name, or run jptoolgen init cmd/%s "+
			"to add the server to the current module", dir, name)
	}
	text, err := project.JP()
	if err != nil {
		return err
	}
	w := hostconfig.FindWorkspace(dir)
	if err := jp.check(env, w, text); err != nil {
		return err
	}
	if jp.create && !w.Exists {
		list = append(list, scaffold.File{Path: ".jp/config.toml", Data: text})
	}
	next := append([]string{"cd " + name}, useModule(env)...)
	if err := create(env, dir, list, append(next, "go mod tidy", "go generate ./...", "go test ./...")...); err != nil {
		return err
	}
	return jp.add(ctx, env, w, text)
}

// jpFlags holds the flags for the configuration of JP.
type jpFlags struct{ create, skip bool }

// check returns an error if the tools of a new project cannot be added to the workspace that contains it.
func (j jpFlags) check(env Env, w hostconfig.Workspace, text []byte) error {
	if j.skip || !w.Exists {
		return nil
	}
	if !w.IsTOML() {
		return paste(env, w, text, "to create the server without it, add --no-jp")
	}
	old, err := files.Read(w.File, output.MaxFileSize)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if _, err := hostconfig.AddTables(old, text); err != nil {
		return fmt.Errorf("nothing was written: %s: %w; to create the server without changing that file, add --no-jp", w.File, err)
	}
	return nil
}

// add adds the tools of a new project to the workspace that contains it.
func (j jpFlags) add(ctx context.Context, env Env, w hostconfig.Workspace, text []byte) error {
	switch {
	case j.skip || j.create && !w.Exists:
		return nil
	case !w.Exists:
		fmt.Fprintf(env.Stderr, "not in a JP workspace, so JP was not configured; to create %s, run jptoolgen config jp . --write --create-workspace there\n", w.File)
		return nil
	}
	done, err := files.Update(ctx, w.File, output.MaxFileSize, func(old []byte) ([]byte, error) { return hostconfig.AddTables(old, text) })
	if err != nil {
		return fmt.Errorf("%s: %w", w.File, err)
	}
	if done.Backup != "" {
		fmt.Fprintf(env.Stderr, "backup written to %s\n", done.Backup)
	}
	if done.Changed {
		fmt.Fprintf(env.Stderr, "added the tools to %s for JP\n", w.File)
	}
	return nil
}

func hasGoFiles(dir string) bool {
	found, err := fs.Glob(os.DirFS(dir), "*.go")
	return err != nil || len(found) > 0
}

// useModule returns the command that adds a new module to the current workspace, if there is one.
func useModule(env Env) []string {
	cmd := exec.Command("go", "env", "GOWORK")
	cmd.Dir = env.Dir
	if out, err := cmd.Output(); err != nil || slices.Contains([]string{"", "off"}, strings.TrimSpace(string(out))) {
		return nil
	}
	return []string{"go work use ."}
}

// create writes new files, and prints their names and what to type next.
func create(env Env, dir string, list []scaffold.File, next ...string) error {
	if err := scaffold.Write(dir, list); err != nil {
		return fmt.Errorf("nothing was written: %w", err)
	}
	for _, f := range list {
		fmt.Fprintln(env.Stdout, path.Join(filepath.ToSlash(diag.Rel(env.Dir, dir)), f.Path))
	}
	fmt.Fprintf(env.Stdout, "\nNext steps:\n  %s\n", strings.Join(next, "\n  "))
	return nil
}

// releasedVersion returns the version of this program. It returns "" if the program was built from a checkout,
// because module proxies do not have that version.
func releasedVersion() string {
	version := programVersion()
	if !semver.IsValid(version) || strings.Contains(version, "+") {
		return ""
	}
	return version
}

// newServer creates a server as a package of the current module.
func newServer(env Env, dir string) error {
	dir = env.path(dir)
	list, err := scaffold.Server(filepath.Base(dir))
	if err != nil {
		return err
	}
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return fmt.Errorf("nothing was written: %s is not a directory", dir)
	}
	mod, err := moduleOf(env.Dir, dir)
	if err != nil {
		return err
	}
	if hasGoFiles(dir) {
		return fmt.Errorf("nothing was written: %s already has Go files; choose another directory", dir)
	}
	shown := strings.TrimSuffix("./"+filepath.ToSlash(diag.Rel(env.Dir, dir)), "/.")
	return create(env, dir, list, append(getGenerator(mod), "go mod tidy", "go generate "+shown, "go test "+shown)...)
}

// getGenerator returns the command that makes jptoolgen a tool of a module if it is not one yet.
func getGenerator(mod *modfile.File) []string {
	if slices.ContainsFunc(mod.Tool, func(t *modfile.Tool) bool { return t.Path == scaffold.Generator }) {
		return nil
	}
	return []string{"go get -tool " + scaffold.Generator}
}

// moduleOf returns the go.mod of the module that contains the directory from. It returns an error if dir is outside of that
// module, or if the import path of dir is invalid.
func moduleOf(from, dir string) (*modfile.File, error) {
	root, _, err := load.Module(from)
	if err != nil {
		return nil, fmt.Errorf("%w, or run jptoolgen init NAME to create a module", err)
	}
	if own, _, err := load.Module(dir); err != nil || own != root {
		return nil, fmt.Errorf("%s is outside the module in %s", dir, root)
	}
	name := filepath.Join(root, "go.mod")
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	mod, err := modfile.Parse(name, data, nil)
	if err != nil {
		return nil, err
	}
	if mod.Module == nil {
		return nil, fmt.Errorf("%s does not declare a module; add a module directive to it", name)
	}
	rel, err := filepath.Rel(root, dir)
	if err != nil {
		return nil, err
	}
	return mod, module.CheckImportPath(path.Join(mod.Module.Mod.Path, filepath.ToSlash(rel)))
}

// addTo adds a tool, a resource or a prompt to the server in the current directory.
func addTo(env Env, kind, name string) error {
	list, err := scaffold.Add(env.Dir, kind, name)
	if errors.Is(err, scaffold.ErrNoServer) {
		return fmt.Errorf("%w; run jptoolgen init NAME to create a server", err)
	}
	if err != nil {
		return err
	}
	return create(env, env.Dir, list, "go generate ./...", "go test ./...")
}
