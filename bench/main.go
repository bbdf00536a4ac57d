// Command bench compares servers made with jptool with servers made with other SDKs, all in one run, and writes
// the ratios as Markdown.
//
//	go run . [-quick] [-o RESULTS.md]
//	go run . -only http                  # some parts
//	go run . -only http -foreign=false  # without the servers that are not written in Go
//
// Each figure is measured for all servers alternately, so that other load on the machine affects all of them.
// The command needs Linux, for the CPU clocks of other processes.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/jptool/jptool/bench/internal/build"
	"github.com/jptool/jptool/bench/internal/measure"
	"github.com/jptool/jptool/bench/internal/report"
)

func main() {
	quick := flag.Bool("quick", false, "take only a few samples, to check that the command works")
	only := flag.String("only", strings.Join(parts, ","), "the `parts` to measure")
	foreign := flag.Bool("foreign", true, "also measure servers that are not written in Go")
	out := flag.String("o", "", "also write the tables to this `file`")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, effort(*quick), strings.Split(*only, ","), *foreign, *out)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

// parts are the parts that can be measured, in order.
var parts = []string{"calls", "starts", "lists", "allocations", "large", "cold", "jptoolgen", "http"}

// An amount defines how much is measured.
type amount struct {
	rounds, calls, starts, close, lists, cold, generations, httpRounds, httpCalls, sessions int
}

func effort(quick bool) amount {
	if quick {
		return amount{rounds: 3, calls: 300, starts: 3, close: 10, lists: 2, cold: 3, generations: 1, httpRounds: 3, httpCalls: 160, sessions: 1000}
	}
	return amount{rounds: 15, calls: 1000, starts: 20, close: 100, lists: 10, cold: 15, generations: 5, httpRounds: 15, httpCalls: 800, sessions: measure.IdleSessions}
}

func run(ctx context.Context, a amount, only []string, foreign bool, out string) error {
	for _, part := range only {
		if !slices.Contains(parts, part) {
			return fmt.Errorf("unknown part %q in -only (known: %s)", part, strings.Join(parts, ","))
		}
	}
	if out != "" && len(only) < len(parts) {
		return errors.New("-o requires all parts; remove -only")
	}
	dir, err := filepath.Abs("_work")
	if err != nil {
		return err
	}
	workspace := build.Workspace{Dir: dir, GoOnly: !foreign}
	logProgress("building")
	f := report.Figures{}
	if f.Subjects, err = workspace.Make(ctx, logProgress); err != nil {
		return err
	}
	logProgress("checking that all servers return the same results")
	if err = measure.Agree(f.Subjects); err != nil {
		return err
	}
	steps := map[string]func() error{
		"calls": func() (err error) { f.Calls, err = measure.Throughput(f.Subjects, a.rounds, a.calls); return },
		"starts": func() (err error) {
			f.Starts, err = measure.StartUp(f.Subjects, build.Sizes, a.starts, a.close)
			return
		},
		"lists":       func() (err error) { f.Lists, err = measure.Lists(f.Subjects, a.lists); return },
		"allocations": func() (err error) { f.Allocs, err = measure.Allocations(f.Subjects, dir); return },
		"large":       func() (err error) { f.Large, err = measure.LargeCalls(f.Subjects); return },
		"cold":        func() (err error) { f.Cold, err = measure.ColdCalls(ctx, workspace, a.cold); return },
		"jptoolgen": func() (err error) {
			f.Generation, err = measure.Generate(ctx, workspace, build.Sizes, a.generations)
			return
		},
		"http": func() (err error) {
			f.HTTP, err = measure.OverHTTP(f.Subjects, workspace, a.httpRounds, a.httpCalls, a.sessions)
			return
		},
	}
	for _, part := range parts {
		if !slices.Contains(only, part) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		logProgress("measuring " + part)
		if err := steps[part](); err != nil {
			return fmt.Errorf("measuring %s: %w", part, err)
		}
	}
	text := f.Markdown()
	fmt.Print(text)
	if out == "" {
		return nil
	}
	return os.WriteFile(out, []byte(text), 0o644)
}

func logProgress(what string) { fmt.Fprintln(os.Stderr, time.Now().Format(time.TimeOnly), what) }
