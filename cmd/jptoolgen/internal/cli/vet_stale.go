package cli

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/internal/declared"
)

// packageDirs are the directories of packages.
type packageDirs struct {
	dirs []string
	err  error
}

// dirsOf asks the go command, as go vet does, where packages are.
func dirsOf(ctx context.Context, env Env, packages []string) packageDirs {
	cmd := exec.CommandContext(ctx, "go", append([]string{"list", "-e", "-find", "-f", "{{.Dir}}", "--"}, packages...)...)
	cmd.Dir = env.Dir
	out, err := cmd.Output()
	if err != nil {
		return packageDirs{err: fmt.Errorf("go list: %w", err)}
	}
	return packageDirs{dirs: strings.Split(strings.TrimSpace(string(out)), "\n")}
}

// stale adds findings about generated files that are out of date and that the analyzer
// did not report: go vet keeps what it found, and its cache depends neither on files that
// are not built nor on comments of other packages.
func (p packageDirs) stale(list *diag.List) error {
	known := map[string]bool{}
	for _, f := range list.Sorted() {
		if f.Code == diag.StaleCode {
			known[filepath.Dir(f.Pos.Filename)] = true
		}
	}
	for _, dir := range p.dirs {
		if dir == "" || known[dir] {
			continue
		}
		found, err := declared.Check(dir)
		if err != nil {
			return fmt.Errorf("comparing generated files: %w", err)
		}
		for _, d := range found {
			list.AddAt(d.Pos, diag.StaleCode, "%s", d.Says).Suggest("run go generate")
		}
	}
	return p.err
}
