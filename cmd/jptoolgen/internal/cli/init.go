package cli

import (
	"context"
	"errors"
	"fmt"
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
	"github.com/jptool/jptool/cmd/jptoolgen/internal/load"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/scaffold"
)

func initCommand() command {
	var module, tool string
	return command{
		name:  "init",
		usage: "jptoolgen init NAME [flags]\n       jptoolgen init DIR/NAME\n       jptoolgen init --tool NAME",
		help: `Create a server in a new directory NAME: a module with one tool (which asks a
question and has an option), its tests, a README, JP's configuration and a CI file.
With a path, such as cmd/notes or ./notes, create the server as a package of the
current module: its Go files and their test. With --tool, add a tool and its test
to the server in the current directory.

Existing files are never overwritten.`,
		flags: func(flags *pflag.FlagSet) {
			flags.StringVar(&module, "module", "", "`path` of the module (default example.com/NAME)")
			flags.StringVar(&tool, "tool", "", "`name` of a tool to add to the server in the current directory")
		},
		run: func(_ context.Context, env Env, flags *pflag.FlagSet) error {
			switch {
			case tool != "" && (flags.NArg() > 0 || module != ""):
				return errors.New("init --tool NAME takes no other arguments")
			case tool != "":
				return addTool(env, tool)
			case flags.NArg() == 0:
				return errors.New("missing server name; run jptoolgen init NAME")
			case flags.NArg() > 1:
				return fmt.Errorf("unexpected argument %q; init takes one name", flags.Arg(1))
			case flags.Arg(0) == "." || strings.ContainsAny(flags.Arg(0), `/\`):
				if module != "" {
					return errors.New("--module requires a new module; run jptoolgen init NAME --module PATH")
				}
				return newServer(env, flags.Arg(0))
			}
			return newProject(env, flags.Arg(0), module)
		},
	}
}

func newProject(env Env, name, module string) error {
	files, err := scaffold.Project{Name: name, Module: module, Version: releasedVersion()}.Files()
	if err != nil {
		return err
	}
	dir := filepath.Join(env.Dir, name)
	if hasGoFiles(dir) {
		return fmt.Errorf("nothing was written: %s already has Go files; choose another name, or run jptoolgen init cmd/%s "+
			"to add the server to the current module", dir, name)
	}
	next := append([]string{"cd " + name}, useModule(env)...)
	return create(env, dir, files, append(next, "go mod tidy", "go generate ./...", "go test ./...")...)
}

func hasGoFiles(dir string) bool {
	found, err := filepath.Glob(filepath.Join(dir, "*.go"))
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

func addTool(env Env, name string) error {
	files, err := scaffold.Tool(env.Dir, name)
	if errors.Is(err, scaffold.ErrNoServer) {
		return fmt.Errorf("%w; run jptoolgen init NAME to create a server", err)
	}
	if err != nil {
		return err
	}
	return create(env, env.Dir, files, "go generate ./...", "go test ./...")
}
