package cli

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/internal/declared"
)

// packageDirs holds the directories of packages.
type packageDirs struct {
	dirs []string
	err  error
}

// dirsOf asks the go command for the directories of packages, as go vet does.
func dirsOf(ctx context.Context, env Env, packages []string) packageDirs {
	cmd := exec.CommandContext(ctx, "go", append([]string{"list", "-e", "-find", "-f", "{{.Dir}}", "--"}, packages...)...)
	cmd.Dir = env.Dir
	out, err := cmd.Output()
	if err != nil {
		return packageDirs{err: fmt.Errorf("go list: %w", err)}
	}
	return packageDirs{dirs: strings.Split(strings.TrimSpace(string(out)), "\n")}
}

// stale adds findings about outdated generated files that the analyzer did not report. The cache of go vet does
// not depend on files that are not built or on comments of other packages, so its findings can be outdated.
// stale returns the directories of all outdated files.
func (p packageDirs) stale(list *diag.List) (map[string]bool, error) {
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
			return nil, fmt.Errorf("comparing generated files: %w", err)
		}
		for _, d := range found {
			known[dir] = true
			list.AddAt(d.Pos, diag.StaleCode, "%s", d.Says).Suggest("run go generate")
		}
	}
	return known, p.err
}

// withoutStale replaces the errors of go vet about lines of outdated generated files, because the findings
// already name the declarations that cause these errors.
func withoutStale(failed error, dir string, stale map[string]bool) error {
	var lines []string
	var last string // the generated file that the preceding lines are about
	text, prefixed := strings.CutPrefix(failed.Error(), goVetError)
	if !prefixed {
		return failed
	}
	for line := range strings.SplitSeq(text, "\n") {
		name, _, _ := strings.Cut(strings.TrimPrefix(line, "vet: "), ":")
		switch {
		case last != "" && (name == last || strings.HasPrefix(line, "\t")):
		case filepath.Base(name) == declared.Code && stale[filepath.Join(dir, filepath.Dir(name))]:
			last = name
			lines = append(lines, fmt.Sprintf("%s does not compile; run go generate", filepath.Clean(name)))
		default:
			last = ""
			lines = append(lines, line)
		}
	}
	return errors.New(goVetError + strings.Join(lines, "\n"))
}
