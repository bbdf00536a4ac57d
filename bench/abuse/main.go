// Command abuse sends servers what no client should, each case to a process of its
// own, followed by a good call that must be answered.
//
//	go run ./abuse            # the servers of the comparison; fails if jptool's does
//	go run ./abuse -v         # with every fault found in jptool's
//	go run ./abuse -v COMMAND # another server of the tool
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"

	"github.com/jptool/jptool/bench/internal/abuse"
	"github.com/jptool/jptool/bench/internal/build"
	"github.com/jptool/jptool/bench/internal/request"
)

func main() {
	verbose := flag.Bool("v", false, "tell every fault, not just how many")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	faults, err := run(ctx, flag.Args(), *verbose)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
	}
	if err != nil || faults > 0 {
		os.Exit(1)
	}
}

// run returns how many faults the first server has.
func run(ctx context.Context, command []string, verbose bool) (int, error) {
	subjects := []build.Subject{{Name: "the server", Command: func(int) []string { return command }}}
	if len(command) == 0 {
		dir, err := filepath.Abs("_work")
		if err != nil {
			return 0, err
		}
		notice := func(text string) { fmt.Fprintln(os.Stderr, text) }
		if subjects, err = (build.Shop{Dir: dir}).Make(ctx, notice); err != nil {
			return 0, err
		}
	}
	first := -1
	for _, s := range subjects {
		if s.Name == build.Floor {
			continue // it does not read what it is sent
		}
		faults, cases := 0, 0
		for _, era := range request.Eras {
			for _, c := range abuse.Cases(era) {
				if ctx.Err() != nil {
					return 0, ctx.Err()
				}
				cases++
				if err := abuse.Judge(s.Command(1), era, c); err != nil {
					faults++
					if verbose && first < 0 {
						fmt.Printf("%s, %s, %s: %v\n", era, c.Group, c.Name, err)
					}
				}
			}
		}
		fmt.Printf("%-18s %d of %d cases go wrong\n", s.Name, faults, cases)
		if first < 0 {
			first = faults
		}
	}
	return first, nil
}
