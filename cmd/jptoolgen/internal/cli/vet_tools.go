package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/pflag"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/files"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/output"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/smell"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// A toolVetting is the JSON output of vet --tools.
type toolVetting struct {
	Format   int             `json:"format"`
	Findings []smell.Finding `json:"findings"`
	// Recall is the fraction of the tasks for which the right tool is found, or nil without tasks.
	Recall *float64 `json:"recall_at_5,omitempty"`
}

// tools checks the tools of a target as a model reads them.
func (v vetRun) tools(ctx context.Context, env Env, flags *pflag.FlagSet) (int, error) {
	if v.fix || v.today != "" || v.format == diag.GitHub {
		return exitError, errors.New("--tools cannot be used with --fix, --today or --format github")
	}
	s, err := v.target.oneSide(ctx, env, flags)
	if err != nil {
		return exitError, err
	}
	out := toolVetting{Format: 1, Findings: append([]smell.Finding{}, smell.Find(s.contract)...)}
	out.Findings = append(out.Findings, smell.Errors(s.errors)...)
	if v.tasks != "" {
		tasks, err := tasksIn(env, v.tasks, s.contract)
		if err != nil {
			return exitError, fmt.Errorf("--tasks %s: %w", v.tasks, err)
		}
		recall, missed := smell.Recall(s.contract, tasks)
		out.Findings, out.Recall = append(out.Findings, missed...), &recall
	}
	status := exitOK
	if len(out.Findings) > 0 {
		status = exitFindings
	}
	if v.format == diag.JSON {
		return status, printJSON(env.Stdout, out)
	}
	for _, f := range out.Findings {
		if err := printClean(env.Stderr, f.String()+"\n"); err != nil {
			return exitError, err
		}
	}
	if out.Recall != nil {
		fmt.Fprintf(env.Stdout, "recall@5 %.2f\n", *out.Recall)
	}
	return status, nil
}

func tasksIn(env Env, name string, c *manifest.Server) ([]smell.Task, error) {
	data, err := files.Read(env.path(name), output.MostOfAFile)
	if err != nil {
		return nil, err
	}
	return smell.ReadTasks(string(data), c)
}
