// Command abuse does to servers what no client should, each trial to a process of its
// own, and judges what comes back.
//
//	go run ./abuse                      # the servers of the comparison; fails if jptool's does
//	go run ./abuse -v                   # with every fault found in jptool's
//	go run ./abuse -v COMMAND           # another server of the tool
//	go run ./abuse -group process,jp    # some groups
//	go run ./abuse -fuzz 100000 -seed 7 # more random arguments
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	"github.com/jptool/jptool/bench/internal/abuse"
	"github.com/jptool/jptool/bench/internal/build"
	"github.com/jptool/jptool/bench/internal/request"
)

// settings are what the flags say.
type settings struct {
	verbose bool
	only    string
	groups  []string
	workers int
}

func main() {
	var set settings
	flag.BoolVar(&set.verbose, "v", false, "tell every fault of the first server, not just how many")
	flag.StringVar(&set.only, "only", "", "the `name` of the one server of the comparison to try")
	groups := flag.String("group", strings.Join(abuse.Groups, ","), "the `groups` of trials to run")
	flag.IntVar(&set.workers, "workers", 2, "how many trials run at once")
	flag.IntVar(&abuse.Fuzzed, "fuzz", abuse.Fuzzed, "how many random arguments each tool is called with")
	flag.Uint64Var(&abuse.Seed, "seed", abuse.Seed, "what random arguments come from")
	flag.Parse()
	set.groups = strings.Split(*groups, ",")
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	faults, err := run(ctx, flag.Args(), set)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
	}
	if err != nil || faults > 0 {
		os.Exit(1)
	}
}

// run returns how many faults the first server has.
func run(ctx context.Context, command []string, set settings) (int, error) {
	for _, g := range set.groups {
		if !slices.Contains(abuse.Groups, g) {
			return 0, fmt.Errorf("there is no group %q; write some of %s", g, strings.Join(abuse.Groups, ","))
		}
	}
	subjects := []build.Subject{{Name: "the server", Command: func(int) []string { return command }}}
	manners := ""
	if len(command) == 0 {
		dir, err := filepath.Abs("_work")
		if err != nil {
			return 0, err
		}
		notice := func(text string) { fmt.Fprintln(os.Stderr, text) }
		shop := build.Shop{Dir: dir, Sizes: []int{1}}
		if subjects, err = shop.Make(ctx, notice); err != nil {
			return 0, err
		}
		if manners, err = shop.Manners(ctx); err != nil {
			return 0, err
		}
	}
	fmt.Printf("| went well, of trials | %s | faults |\n|---|%s---|\n", strings.Join(set.groups, " | "), strings.Repeat("---|", len(set.groups)))
	first := -1
	for _, s := range subjects {
		if s.Name == build.Floor || set.only != "" && s.Name != set.only && len(command) == 0 {
			continue // the floor does not read what it is sent
		}
		target := abuse.Target{Command: s.Command(1)}
		if s.Name == build.Ours {
			target.Manners = []string{manners}
		}
		tell := func(era request.Era, t abuse.Trial, fault error) {
			if set.verbose && first < 0 {
				fmt.Fprintf(os.Stderr, "%s, %s, %s, %s: %v\n", s.Name, era, t.Group, t.Name, fault)
			}
		}
		faults, err := subject(ctx, s.Name, target, set, tell)
		if err != nil {
			return 0, err
		}
		if first < 0 {
			first = faults
		}
	}
	if first < 0 {
		return 0, fmt.Errorf("there is no server %q", set.only)
	}
	return first, nil
}

// subject tries a server, prints its line and returns how many faults it has.
func subject(ctx context.Context, name string, target abuse.Target, set settings, tell func(request.Era, abuse.Trial, error)) (int, error) {
	count, faults := map[string]int{}, map[string]int{}
	for _, era := range request.Eras {
		for t, err := range abuse.Run(ctx, target, abuse.Trials(era), set.groups, set.workers) {
			count[t.Group]++
			if err != nil {
				faults[t.Group]++
				tell(era, t, err)
			}
		}
	}
	if ctx.Err() != nil {
		return 0, ctx.Err()
	}
	all := 0
	cells := make([]string, len(set.groups))
	for i, g := range set.groups {
		all += faults[g]
		if cells[i] = "–"; count[g] > 0 {
			cells[i] = fmt.Sprintf("%d/%d", count[g]-faults[g], count[g])
		}
	}
	fmt.Printf("| %s | %s | %d |\n", name, strings.Join(cells, " | "), all)
	return all, nil
}
