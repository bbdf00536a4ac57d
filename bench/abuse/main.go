// Command abuse does to servers what no client should, each trial to a process of its
// own, and judges what comes back.
//
//	go run ./abuse                      # the servers of the comparison; fails if jptool's does
//	go run ./abuse -v                   # with every fault found in jptool's
//	go run ./abuse -wire http           # over HTTP alone
//	go run ./abuse -only 'mcp-go'       # one server
//	go run ./abuse -v COMMAND           # another server of the tool
//	go run ./abuse -v -wire http COMMAND # the same, which serves HTTP when it is told --http ADDR
//	go run ./abuse -group process,jp    # some groups
//	go run ./abuse -fuzz 100000 -seed 7 # more random arguments
//
// Over HTTP the trials of standard streams run through a bridge that posts each line,
// and those of HTTP itself follow, of which each tells what came.
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

	"github.com/jptool/jptool/bench/internal/abuse"
	"github.com/jptool/jptool/bench/internal/abusehttp"
	"github.com/jptool/jptool/bench/internal/build"
	"github.com/jptool/jptool/bench/internal/posts"
)

// settings are what the flags say.
type settings struct {
	verbose bool
	only    string
	wires   []string
	groups  []string
	workers int
}

// The wires that servers are tried on.
const (
	stdio = "stdio"
	http  = "http"
)

func main() {
	var set settings
	flag.BoolVar(&set.verbose, "v", false, "tell every fault of the first server, not just how many")
	flag.StringVar(&set.only, "only", "", "the `name` of the one server of the comparison to try")
	wires := flag.String("wire", stdio+","+http, "the `wires` to try servers on")
	all := append(slices.Clone(abuse.Groups), abusehttp.Groups...)
	groups := flag.String("group", strings.Join(all, ","), "the `groups` of trials to run")
	flag.IntVar(&set.workers, "workers", 2, "how many trials run at once")
	flag.IntVar(&abuse.Fuzzed, "fuzz", abuse.Fuzzed, "how many random arguments each tool is called with")
	flag.Uint64Var(&abuse.Seed, "seed", abuse.Seed, "what random arguments come from")
	bridge := flag.Bool("bridge", false, "serve on standard streams what a command serves over HTTP")
	flag.Parse()
	set.wires, set.groups = strings.Split(*wires, ","), strings.Split(*groups, ",")
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	var faults int
	err := set.check(all)
	switch {
	case err != nil:
	case *bridge:
		err = posts.Run(ctx, flag.Args(), os.Stdin, os.Stdout)
	default:
		faults, err = run(ctx, flag.Args(), set)
	}
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
	}
	if err != nil || faults > 0 {
		os.Exit(1)
	}
}

// check returns an error if there is no such wire or group.
func (set settings) check(groups []string) error {
	for _, g := range set.groups {
		if !slices.Contains(groups, g) {
			return fmt.Errorf("there is no group %q; write some of %s", g, strings.Join(groups, ","))
		}
	}
	for _, w := range set.wires {
		if w != stdio && w != http {
			return fmt.Errorf("there is no wire %q; write %s, %s or both", w, stdio, http)
		}
	}
	return nil
}

// run returns how many faults the first server has, on all wires.
func run(ctx context.Context, command []string, set settings) (int, error) {
	subjects := []subject{{Subject: build.Subject{Name: "the server", Command: func(int) []string { return command }, HTTP: build.Address}}}
	if len(command) == 0 {
		var err error
		if subjects, err = made(ctx, set.only); err != nil {
			return 0, err
		}
	}
	faults := 0
	for _, wire := range set.wires {
		n, err := set.lines(ctx, subjects, wire)
		if err != nil {
			return 0, err
		}
		faults += n
	}
	if slices.Contains(set.wires, http) && len(command) == 0 {
		n, err := set.own(ctx, subjects)
		return faults + n, err
	}
	return faults, nil
}

// made builds the servers of the comparison, or the one of that name.
func made(ctx context.Context, only string) ([]subject, error) {
	dir, err := filepath.Abs("_work")
	if err != nil {
		return nil, err
	}
	notice := func(text string) { fmt.Fprintln(os.Stderr, text) }
	shop := build.Shop{Dir: dir, Sizes: []int{1}}
	all, err := shop.Make(ctx, notice)
	if err != nil {
		return nil, err
	}
	manners, err := shop.Manners(ctx)
	if err != nil {
		return nil, err
	}
	var subjects []subject
	for _, s := range all {
		if s.Name == build.Floor || only != "" && s.Name != only {
			continue // the floor does not read what it is sent
		}
		one := subject{Subject: s, floor: shop.Floor}
		if s.Name == build.Ours {
			one.manners = []string{manners}
		}
		subjects = append(subjects, one)
	}
	if len(subjects) == 0 {
		return nil, errors.New("there is no server " + only)
	}
	return subjects, nil
}
