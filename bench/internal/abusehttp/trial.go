// Package abusehttp sends invalid and hostile requests to a server over HTTP: invalid or incomplete requests,
// too many connections, sessions and calls, and early ends.
package abusehttp

import (
	"context"
	"strings"
	"sync"

	"github.com/jptool/jptool/bench/internal/request"
)

// A Target is a server under test.
type Target struct {
	Name string
	// Search returns the command that serves the search tool over HTTP for a generation of MCP.
	Search func(request.Era) []string
	// Wait returns the command that serves the wait tool of package serve.
	Wait func(request.Era) []string
	// Baseline returns the command of the baseline, a server without an SDK, which responds to every
	// call with the result in a file.
	Baseline func(file string) []string
	// Most is the documented maximum size of a message, in bytes.
	Most int
}

// A Trial is a test that a server must pass.
type Trial struct {
	Group, Name string
	Era         request.Era
	// Idle is set if the trial mostly waits, so that other trials may run concurrently.
	Idle bool
	// Run returns a description of the result, and an error that describes the fault of the
	// server.
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
	all = append(all, capacityTrials()...)
	return append(all, ends()...)
}

// A Verdict is the result of a trial.
type Verdict struct {
	Trial
	Came string
	Err  error
}

// String returns PASS or FAIL and the description of the result.
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

// Run runs trials on a target, calls report with each verdict immediately, and returns the verdicts in the order
// of the trials. Idle trials run concurrently with the others.
func Run(ctx context.Context, t Target, trials []Trial, report func(Verdict)) []Verdict {
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
		report(v)
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
