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
	"github.com/jptool/jptool/cmd/jptoolgen/internal/terminal"
)

// A pluginFile is the script of a command plugin of JP. The zero value is no script.
type pluginFile struct {
	path     string
	script   []byte
	same     bool // whether the file has this content
	conflict *hostconfig.Conflict
}

// errPlugin reports that the file of the script has a different content.
var errPlugin = errors.New("the script of the command plugin exists with different values")

// pluginCommand checks that JP can run an entry as a command plugin. It makes the path of the program absolute, because JP
// runs the script in all workspaces.
func pluginCommand(env Env, e *hostconfig.Entry) error {
	switch {
	case e.OlderJP:
		return fmt.Errorf("a JP before %s does not support tools of command plugins; use --as %s", hostconfig.JPChange, hostconfig.JPLocal)
	case runtime.GOOS == "windows":
		return fmt.Errorf("--as %s writes a shell script, which JP cannot run on Windows; use --as %s", e.As, hostconfig.JPLocal)
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
	file, script, err := e.Plugin()
	if err != nil {
		return p, err
	}
	p.path, p.script = filepath.Join(dir, file), script
	old, err := files.Read(p.path, output.MaxFileSize)
	if errors.Is(err, fs.ErrNotExist) {
		return p, nil
	} else if err == nil {
		err = hostconfig.ComparePlugin(p.path, old, script)
		p.same = err == nil
	}
	if conflict, ok := errors.AsType[*hostconfig.Conflict](err); ok {
		p.conflict, err = conflict, nil
	}
	return p, err
}

// printConflict prints the differences between the script and its file, unless they will be replaced.
func (p pluginFile) printConflict(env Env, replace bool) error {
	if p.conflict == nil || replace {
		return nil
	}
	fmt.Fprintf(env.Stderr, "jptoolgen: %s; to apply the changes below, add --replace\n", terminal.Message(p.conflict.Error()))
	return printDifferences(env.Stdout, p.conflict.Differences)
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
	executable := mode | mode&0o444>>2
	if executable != mode {
		if err := os.Chmod(p.path, executable); err != nil {
			return err
		}
	}
	if p.same && executable == mode {
		fmt.Fprintf(env.Stderr, "already written to %s\n", p.path)
		return nil
	}
	fmt.Fprintf(env.Stderr, "wrote %s; JP runs it only from a directory in PATH or from jp/plugins/command in the user's data directory; "+
		"move or link it there if necessary\n", p.path)
	if p.conflict == nil {
		return nil
	}
	return printDifferences(env.Stdout, p.conflict.Differences)
}
