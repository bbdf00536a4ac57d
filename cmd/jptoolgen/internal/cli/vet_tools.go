package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/files"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/model"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/output"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/sdktypes"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/smell"
	"github.com/jptool/jptool/sdk/fault"
)

// A toolVetting is the JSON output of vet --tools.
type toolVetting struct {
	Format   int             `json:"format"`
	Findings []smell.Finding `json:"findings"`
	// Recall is the fraction of the tasks for which the right tool is found, or nil if there are no tasks.
	Recall *float64 `json:"recall_at_5,omitempty"`
}

// tools checks the tools of a target as a model reads them.
func (v vetRun) tools(ctx context.Context, env Env) error {
	if v.fix || v.today != "" || v.format == diag.GitHub {
		return errors.New("--tools cannot be used with --fix, --today or --format github")
	}
	s, err := v.target.oneSide(ctx, env)
	if err != nil {
		return err
	}
	out := toolVetting{Format: 1, Findings: append([]smell.Finding{}, smell.Find(s.contract)...)}
	out.Findings = append(out.Findings, smell.Errors(s.errors)...)
	if v.tasks != "" {
		text, err := files.Read(env.path(v.tasks), output.MaxFileSize)
		var tasks []smell.Task
		if err == nil {
			tasks, err = smell.ReadTasks(string(text), s.contract)
		}
		if err != nil {
			return fmt.Errorf("--tasks %s: %w", v.tasks, err)
		}
		recall, missed := smell.Recall(s.contract, tasks)
		out.Findings, out.Recall = append(out.Findings, missed...), &recall
	}
	found := findingsIf(len(out.Findings) > 0)
	if v.format == diag.JSON {
		return cmp.Or(printJSON(env.Stdout, out), found)
	}
	for _, f := range out.Findings {
		if err := printClean(env.Stderr, f.String()+"\n"); err != nil {
			return err
		}
	}
	if out.Recall != nil {
		fmt.Fprintf(env.Stdout, "recall@5 %.2f\n", *out.Recall)
	}
	return found
}

// errorTexts returns the constant messages that are passed to fault.New and fault.Wrap together with a code
// that lets a model correct its call. It leaves out messages such as "%s", which only repeat another error.
func errorTexts(p *model.Package, dir string) (all []smell.Text) {
	for call := range inspector.All[*ast.CallExpr](inspector.New(p.Files)) {
		made := newFault(p.Info, call)
		if made < 0 || len(call.Args) < made+2 {
			continue
		}
		code, text := constantOf(p.Info, call.Args[made]), constantOf(p.Info, call.Args[made+1])
		//jp:allow JP721 reason="the error is only created to learn what its code means"
		if fault.New(fault.Code(code), "").Recoverable && strings.ContainsFunc(strings.ReplaceAll(text, "%s", ""), unicode.IsLetter) {
			at := p.Fset.Position(call.Pos())
			all = append(all, smell.Text{At: fmt.Sprintf("%s:%d", diag.Rel(dir, at.Filename), at.Line), Text: text})
		}
	}
	return all
}

// newFault returns the index of the code among the arguments of fault.New or fault.Wrap, or -1 for other calls.
func newFault(info *types.Info, call *ast.CallExpr) int {
	f, ok := typeutil.Callee(info, call).(*types.Func)
	if !ok || f.Pkg() == nil || f.Pkg().Path() != sdktypes.Fault {
		return -1
	}
	return slices.Index([]string{"New", "Wrap"}, f.Name())
}

// constantOf returns the value of a constant string, or "" for other expressions.
func constantOf(info *types.Info, e ast.Expr) string {
	if v := info.Types[e].Value; v != nil && v.Kind() == constant.String {
		return constant.StringVal(v)
	}
	return ""
}
