// caught by: nothing (control)

// Package right50 keeps a plan between runs.
package right50

import (
	"context"
	"strings"
	"time"

	"example.com/wrong/kit"

	"github.com/jptool/jptool/sdk/tool"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct{}

// Plan describes the steps.
type Plan struct {
	At    time.Time
	Steps []string
}

// Save is the tool under test.
//
//jp:tool
func (s *Store) Save(ctx context.Context, in kit.Things, ask kit.Sure) (string, error) {
	plan, err := tool.Once(ctx, "plan", func(context.Context) (Plan, error) { return Plan{At: time.Now(), Steps: in.Names}, nil })
	if err != nil {
		return "", err
	}
	if ok, err := ask.Sure.Preamble(strings.Join(plan.Steps, "\n")).Ask(ctx, "Run the plan of %s?", plan.At.Format(time.Kitchen)); err != nil || !ok {
		return "", err
	}
	return "done", nil
}
