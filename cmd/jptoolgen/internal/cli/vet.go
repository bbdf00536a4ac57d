package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/token"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/jpvet"
)

func vetCommand() command {
	v := vetRun{format: diag.Text}
	judge := false
	return command{
		name:  "vet",
		usage: "jptoolgen vet [flags] [packages]\n       jptoolgen vet --tools [flags] TARGET [-- ARGUMENTS]",
		help: `Report mistakes in the handlers of tools: discarded errors of questions; questions
that cannot be asked or that differ between runs; effects that a later question repeats
or that contradict the tool's annotations; arguments used as paths or hosts; errors
without a code; codes, questions and options that differ from their declarations;
generated files that are out of date; and all findings of jptoolgen itself. Run
"jptoolgen explain CODE" for the meaning of a code.

Packages are named as for the go command; the default is the current directory.

A line "//jp:allow CODE reason=..." suppresses findings with that code on its line or
the next. "go vet -vettool=$(which jptoolgen)" runs the same analysis.

With --tools, assess the tools of a server as a model reads them: missing purposes,
limits and examples, unexplained parameters, tools that are alike, and long texts. The
tools of a package are read from its source, and it is not run. With --tasks, also report
tasks for which a search does not find the tool. docs/vet.md has the rules and their
evidence.

Findings are printed to standard error as text, and to standard output as json and
github. The exit status is 0 on success, 1 if there are findings, and 2 for wrong
usage, source that does not compile and other errors.

` + targetHelp,
		flags: func(flags *pflag.FlagSet) {
			flags.BoolVar(&v.fix, "fix", false, "apply safe fixes, and report the remaining findings")
			chooseVar(flags, &v.format, "format", diag.Formats(), "format of findings: text, json or github")
			flags.StringVar(&v.today, "today", "", "check former names of tools against this `date`, e.g. 2030-12-31 (default: today)")
			flags.BoolVar(&judge, "tools", false, "assess the tools of TARGET as a model reads them")
			flags.StringVar(&v.tasks, "tasks", "", "with --tools, search the tools for the tasks in `FILE`, one per line as TOOL: TASK")
			v.target.define(flags)
		},
		run: func(ctx context.Context, env Env, flags *pflag.FlagSet) (int, error) {
			if judge {
				return v.tools(ctx, env, flags)
			}
			if v.tasks != "" {
				return exitError, errors.New("--tasks requires --tools")
			}
			return v.run(ctx, env, flags.Args())
		},
	}
}

// A vetRun runs the analyzer through go vet, which caches the findings of unchanged packages.
type vetRun struct {
	fix    bool
	format diag.Format
	today  string
	// tasks is the file that --tasks names. target is the target that --tools names.
	tasks  string
	target targetFlags
}

func (v vetRun) run(ctx context.Context, env Env, packages []string) (int, error) {
	today := time.Now()
	if v.today != "" {
		var err error
		if today, err = time.Parse(time.DateOnly, v.today); err != nil {
			return exitError, fmt.Errorf("invalid --today %q: must be a date, e.g. 2030-12-31", v.today)
		}
	}
	for _, p := range packages {
		if strings.HasPrefix(p, "-") {
			return exitError, fmt.Errorf("%s is not a package; write flags before the packages", p)
		}
	}
	if v.fix {
		if _, err := goVet(ctx, env, append([]string{"-fix"}, packages...)); err != nil {
			return exitError, err
		}
	}
	dirs := make(chan packageDirs, 1)
	go func() { dirs <- dirsOf(ctx, env, packages) }()
	list := diag.NewList(token.NewFileSet(), env.Dir)
	out, failed := goVet(ctx, env, append([]string{"-json"}, packages...))
	if failed == nil {
		failed = readVet(out, today, list)
	}
	stale, err := (<-dirs).stale(list)
	if failed == nil {
		failed = err
	} else {
		failed = withoutStale(failed, env.Dir, stale)
	}
	w := env.Stderr
	if v.format != diag.Text {
		w = env.Stdout
	}
	status := exitOK
	if list.Len() > 0 {
		status = exitFindings
		if err := diag.Print(w, list.Sorted(), v.format, env.Dir); err != nil {
			return exitError, err
		}
	}
	if failed != nil { // possibly a consequence of stale files
		return exitError, failed
	}
	return status, nil
}

// someday is passed to go vet as the current day for the check of former names. The cache of go vet depends on
// the arguments, so the real day would make it check all packages again every day.
const someday = "9999-12-31"

// goVetError is the prefix of errors that go vet prints.
const goVetError = "go vet: "

// goVet runs go vet with this program as its tool, and returns what it printed.
func goVet(ctx context.Context, env Env, args []string) ([]byte, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("finding this program: %w", err)
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
		return nil, fmt.Errorf("go vet: %w", err)
	}
	return stdout.Bytes(), nil
}

// A vetFinding is a finding in the JSON output of vet tools (go/analysis/unitchecker, -json).
type vetFinding struct {
	Category diag.Code `json:"category"`
	Posn     string    `json:"posn"`
	Message  string    `json:"message"`
}

// readVet adds the findings in the output of go vet, which has one object per package. It skips former names
// that have not expired on the given day.
func readVet(out []byte, today time.Time, list *diag.List) error {
	d := json.NewDecoder(bytes.NewReader(out))
	for {
		var packages map[string]map[string]json.RawMessage
		if err := d.Decode(&packages); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("reading the output of go vet: %w", err)
		}
		for path, analyzers := range packages {
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
					pos, _ := diag.ParsePosition(f.Posn) // go vet has printed it in this form
					list.AddAt(pos, f.Category, "%s", message).Hint = hint
				}
			}
		}
	}
}
