package cli

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/token"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/jpvet"
	"github.com/jptool/jptool/internal/declared"
)

func vetCommand() command {
	v := vetRun{format: diag.Text}
	return command{
		name:  "vet",
		usage: "jptoolgen vet [flags] [packages]",
		help: `Report mistakes in the handlers of tools:

  ignored errors from questions
  questions that cannot be asked, or that differ between runs
  side effects that happen again after each question, or that contradict the annotations
  arguments that are used as paths or hosts
  errors without a code
  codes, questions and options that differ from their declarations
  generated files that are out of date
  all findings of jptoolgen itself, except warnings

Run "jptoolgen explain CODE" for the meaning of a code.

Packages are specified as for the go command; the default is the current directory.

A line "//jp:allow CODE reason=..." suppresses findings with that code on its line or
the next. "go vet -vettool=$(which jptoolgen)" runs the same analysis.

Findings in the text format are printed to standard error; findings in the json and
github formats, to standard output. The exit status is 0 on success, 1 if there are
findings, and 2 for usage errors, source that does not compile and other errors.`,
		flags: func(flags *pflag.FlagSet) {
			flags.BoolVar(&v.fix, "fix", false, "apply safe fixes, and report the remaining findings")
			chooseVar(flags, &v.format, "format", diag.Formats(), "format of findings: text, json or github")
			flags.StringVar(&v.today, "today", "", "report former tool names that have expired by this `date`, e.g. 2030-12-31 (default: today)")
		},
		run: func(ctx context.Context, env Env, flags *pflag.FlagSet) error {
			return v.run(ctx, env, flags.Args())
		},
	}
}

// A vetRun runs the analyzer through go vet, which caches the findings of unchanged packages.
type vetRun struct {
	fix    bool
	format diag.Format
	today  string
}

func (v vetRun) run(ctx context.Context, env Env, packages []string) error {
	today := time.Now()
	if v.today != "" {
		var err error
		if today, err = time.Parse(time.DateOnly, v.today); err != nil {
			return fmt.Errorf("invalid --today %q: must be a date, e.g. 2030-12-31", v.today)
		}
	}
	for _, p := range packages {
		if strings.HasPrefix(p, "-") {
			return fmt.Errorf("%s is not a package; write flags before the packages", p)
		}
	}
	if v.fix {
		if _, err := goVet(ctx, env, append([]string{"-fix"}, packages...)); err != nil {
			return err
		}
	}
	listing := make(chan packageDirs, 1)
	go func() { listing <- dirsOf(ctx, env, packages) }()
	list := diag.NewList(token.NewFileSet(), env.Dir)
	out, failed := goVet(ctx, env, append([]string{"-json"}, packages...))
	listed := <-listing
	if failed == nil {
		failed = listed.readVet(out, today, list)
	}
	stale, err := listed.addStale(list)
	if failed == nil {
		failed = err
	} else {
		failed = withoutStale(failed, env.Dir, stale)
	}
	if err := printFindings(env, list, v.format); err != nil {
		return err
	}
	return cmp.Or(failed, findingsIf(list.Len() > 0)) // the printed findings may explain failed
}

// someday is passed to go vet as the current day for the check of former names. The cache of go vet
// depends on the arguments, so go vet would analyze all packages again every day if it received the
// real day.
const someday = "9999-12-31"

// goVetError is the prefix of errors that go vet prints.
const goVetError = "go vet: "

// goVet runs go vet with this program as its tool, and returns its output.
func goVet(ctx context.Context, env Env, args []string) ([]byte, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("finding the jptoolgen executable: %w", err)
	}
	mode := args[0]
	args = append([]string{"vet", mode, "-vettool=" + self, "-jpvet.today=" + someday}, args[1:]...)
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = env.Dir
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		if text := strings.TrimSpace(stderr.String()); text != "" {
			return nil, errors.New(goVetError + text)
		}
		return nil, fmt.Errorf("running go vet: %w", err)
	}
	return stdout.Bytes(), nil
}

// A vetFinding is a finding in the JSON output of vet tools (go/analysis/unitchecker, -json).
type vetFinding struct {
	Category diag.Code `json:"category"`
	Posn     string    `json:"posn"`
	Message  string    `json:"message"`
}

// readVet adds the findings in the output of go vet, which has one object per package, including dependencies. It
// skips former names that have not expired on the given day.
func (p packageDirs) readVet(out []byte, today time.Time, list *diag.List) error {
	d := json.NewDecoder(bytes.NewReader(out))
	for {
		var packages map[string]map[string]json.RawMessage
		if err := d.Decode(&packages); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("reading the output of go vet: %w", err)
		}
		for id, analyzers := range packages {
			path, _, _ := strings.Cut(id, " [") // p, p [p.test] or p_test [p.test]
			if p.dirs[path] == "" && p.dirs[strings.TrimSuffix(path, "_test")] == "" {
				continue
			}
			for _, text := range analyzers {
				var found []vetFinding
				if err := json.Unmarshal(text, &found); err != nil {
					return fmt.Errorf("analyzing %s: %s", path, text)
				}
				for _, f := range found {
					if f.Category == diag.PastAlias && jpvet.EndsAfter(f.Message, today) {
						continue
					}
					message := strings.TrimPrefix(f.Message, string(f.Category)+": ")
					message, hint, _ := strings.Cut(message, "; ")
					pos, _ := diag.ParsePosition(f.Posn) // cannot fail: Posn always has this form
					list.AddAt(pos, f.Category, "%s", message).Hint = hint
				}
			}
		}
	}
}

// packageDirs holds the directories of packages, keyed by path.
type packageDirs struct {
	dirs map[string]string
	err  error
}

// dirsOf asks the go command for the directories of packages, as go vet does.
func dirsOf(ctx context.Context, env Env, packages []string) packageDirs {
	cmd := exec.CommandContext(ctx, "go", append([]string{"list", "-e", "-find", "-f", "{{.ImportPath}}\t{{.Dir}}", "--"}, packages...)...)
	cmd.Dir = env.Dir
	out, err := cmd.Output()
	if err != nil {
		return packageDirs{err: fmt.Errorf("go list: %w", err)}
	}
	p := packageDirs{dirs: map[string]string{}}
	for line := range strings.Lines(string(out)) {
		path, dir, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		p.dirs[path] = dir
	}
	return p
}

// addStale adds findings about outdated generated files that the analyzer did not report. The cache of go vet does
// not depend on files that are not built or on comments in other packages, so its findings can be outdated.
// addStale returns the directories of all outdated files.
func (p packageDirs) addStale(list *diag.List) (map[string]bool, error) {
	known := map[string]bool{}
	for _, f := range list.Sorted() {
		if f.Code == diag.StaleCode {
			known[filepath.Dir(f.Pos.Filename)] = true
		}
	}
	for _, dir := range slices.Sorted(maps.Values(p.dirs)) {
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

// withoutStale replaces the errors from go vet about lines in outdated generated files, because the findings
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
