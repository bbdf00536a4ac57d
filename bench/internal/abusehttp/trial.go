// Package abusehttp does to a server over HTTP what no client should: requests that are
// none, or that do not end, too many of everything, and ends in the middle.
package abusehttp

import (
	"context"
	"strings"
	"sync"

	"github.com/jptool/jptool/bench/internal/request"
)

// A Target is a server that is judged.
type Target struct {
	Name string
	// Search serves the tool of the comparison to a generation, over HTTP.
	Search func(request.Era) []string
	// Wait serves a tool wait of package serve.
	Wait func(request.Era) []string
	// Floor serves the result in a file, and nothing else.
	Floor func(file string) []string
	// Most is the longest message that the server is documented to take, in bytes.
	Most int
}

// A Trial is something that a server must stand.
type Trial struct {
	Group, Name string
	Era         request.Era
	// Idle says that the trial mostly waits, so that others may run beside it.
	Idle bool
	// Run tells what came, and returns what of it should not have.
	Run func(Target) (came string, err error)
}

// Groups are the groups of trials, in order.
var Groups = []string{"messages", "headers", "slow", "many", "end"}

// Trials returns all trials.
func Trials() []Trial {
	var all []Trial
	for _, era := range request.Eras {
		for _, x := range append(messages(era), headers(era)...) {
			all = append(all, Trial{Group: x.group, Name: x.name, Era: era, Run: func(t Target) (string, error) { return x.run(t, era) }})
		}
	}
	all = append(all, slow()...)
	all = append(all, many()...)
	return append(all, ends()...)
}

// A Verdict is what came of a trial.
type Verdict struct {
	Trial
	Came string
	Err  error
}

// String returns PASS or FAIL with what came.
func (v Verdict) String() string {
	if v.Err == nil {
		return "PASS: " + v.Came
	}
	fault := strings.ReplaceAll(v.Err.Error(), "\n", "; ")
	if v.Came == "" {
		return "FAIL: " + fault
	}
	return "FAIL: " + v.Came + "; " + fault
}

// Run runs trials on a target and tells each verdict as it comes; it returns them in the
// order of the trials. Idle trials run beside the others.
func Run(ctx context.Context, t Target, trials []Trial, tell func(Verdict)) []Verdict {
	verdicts := make([]Verdict, len(trials))
	var telling sync.Mutex
	judge := func(i int) {
		v := Verdict{Trial: trials[i]}
		if v.Err = ctx.Err(); v.Err == nil {
			v.Came, v.Err = trials[i].Run(t)
		}
		verdicts[i] = v
		telling.Lock()
		defer telling.Unlock()
		tell(v)
	}
	var idle sync.WaitGroup
	for i, trial := range trials {
		if trial.Idle {
			idle.Go(func() { judge(i) })
		}
	}
	for i, trial := range trials {
		if !trial.Idle {
			judge(i)
		}
	}
	idle.Wait()
	return verdicts
}
