package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/files"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/hostconfig"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/output"
)

// A pluginFile is the script of a command plugin of JP. The zero value is no script.
type pluginFile struct {
	path    string
	script  []byte
	same    bool                    // whether the file has this content
	changes []hostconfig.Difference // between the file and the script
}

// pluginCommand checks that JP can run an entry as a command plugin. It makes the path of the program absolute, because
// JP runs the script in all workspaces.
func pluginCommand(env Env, e *hostconfig.Entry) error {
	switch {
	case e.OlderJP:
		return fmt.Errorf("a JP before %s does not support tools of command plugins; use --as %s",
			hostconfig.JPChange, hostconfig.JPLocal)
	case runtime.GOOS == "windows":
		return fmt.Errorf("--as %s writes a shell script, which JP cannot run on Windows; use --as %s",
			e.As, hostconfig.JPLocal)
	case e.URL == "" && strings.Contains(e.Command[0], "/"):
		e.Command[0] = env.path(e.Command[0])
	}
	return nil
}

// plugin returns the script for the entry and compares it with the existing file. dir is the default directory.
func (c *hostFlags) plugin(env Env, dir string, e hostconfig.Entry) (p pluginFile, err error) {
	if e.As != hostconfig.JPPlugin {
		return p, nil
	}
	if c.pluginDir != "" {
		dir = env.path(c.pluginDir)
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			return p, fmt.Errorf("--plugin-dir: %q is not a directory; create it first", dir)
		}
	}
	name, script, err := e.Plugin()
	if err != nil {
		return p, err
	}
	p.path, p.script = filepath.Join(dir, name), script
	old, err := files.Read(p.path, output.MaxFileSize)
	if errors.Is(err, fs.ErrNotExist) {
		return p, nil
	} else if err == nil {
		p.changes, err = hostconfig.ComparePlugin(p.path, old, script)
		p.same = err == nil && len(p.changes) == 0
	}
	return p, err
}

// write writes the script and makes it executable.
func (p pluginFile) write(env Env) error {
	if p.path == "" {
		return nil
	}
	if !p.same {
		if _, err := files.Write(p.path, p.script, 0o755); err != nil {
			return err
		}
	}
	info, err := os.Stat(p.path)
	if err != nil {
		return err
	}
	mode := info.Mode().Perm()
	executable := mode | mode&0o444>>2 // everyone who may read the file
	switch {
	case executable != mode:
		if err := os.Chmod(p.path, executable); err != nil {
			return err
		}
	case p.same:
		fmt.Fprintf(env.Stderr, "already written to %s\n", p.path)
		return nil
	}
	fmt.Fprintf(env.Stderr, "wrote %s; JP runs it only from a directory in PATH or from jp/plugins/command in the user's "+
		"data directory; move or link it there if necessary\n", p.path)
	return nil
}
