// Command bench measures servers that jptool makes beside those of other SDKs, all
// in one run, and writes the ratios as Markdown.
//
//	go run . [-quick] [-o RESULTS.md]
//
// Each figure is taken of all servers by turns, so that what else the machine does
// falls on all alike. It needs Linux, for the CPU clocks of other processes.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"

	"github.com/jptool/jptool/bench/internal/build"
	"github.com/jptool/jptool/bench/internal/measure"
	"github.com/jptool/jptool/bench/internal/report"
)

func main() {
	quick := flag.Bool("quick", false, "take few samples: to see that it runs, not to compare")
	out := flag.String("o", "", "also write the tables to this `file`")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, effort(*quick), *out)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

// An amount says how much is measured.
type amount struct {
	rounds, calls, starts, lists, generations int
}

func effort(quick bool) amount {
	if quick {
		return amount{rounds: 3, calls: 300, starts: 3, lists: 2, generations: 1}
	}
	return amount{rounds: 15, calls: 1000, starts: 20, lists: 10, generations: 5}
}

func run(ctx context.Context, a amount, out string) error {
	dir, err := filepath.Abs("_work")
	if err != nil {
		return err
	}
	shop := build.Shop{Dir: dir}
	say("building")
	f := report.Figures{}
	if f.Subjects, err = shop.Make(ctx, say); err != nil {
		return err
	}
	say("checking that all answer alike")
	if err = measure.Agree(f.Subjects); err != nil {
		return err
	}
	steps := []struct {
		name string
		take func() error
	}{
		{"calls", func() (err error) { f.Calls, err = measure.Throughput(f.Subjects, a.rounds, a.calls); return }},
		{"starts", func() (err error) { f.Starts, err = measure.StartUp(f.Subjects, build.Sizes, a.starts); return }},
		{"lists", func() (err error) { f.Lists, err = measure.Lists(f.Subjects, a.lists); return }},
		{"allocations", func() (err error) { f.Allocs, err = measure.Allocations(f.Subjects, dir); return }},
		{"large calls", func() (err error) { f.Large, err = measure.LargeCalls(f.Subjects); return }},
		{"jptoolgen", func() (err error) {
			f.Generation, err = measure.Generate(ctx, shop, build.Sizes, a.generations)
			return
		}},
	}
	for _, step := range steps {
		if err := ctx.Err(); err != nil {
			return err
		}
		say("measuring " + step.name)
		if err := step.take(); err != nil {
			return fmt.Errorf("measuring %s: %w", step.name, err)
		}
	}
	text := f.Markdown()
	fmt.Print(text)
	if out == "" {
		return nil
	}
	return os.WriteFile(out, []byte(text), 0o644)
}

func say(what string) { fmt.Fprintln(os.Stderr, what) }
