// Command abuse runs trials with hostile clients against servers, each trial with a separate process, and judges
// the responses.
//
//	go run ./abuse                      # the servers of the comparison; fails if jptool's server fails
//	go run ./abuse -v                   # with every fault of jptool's server
//	go run ./abuse -wire http           # only over HTTP
//	go run ./abuse -only 'mcp-go'       # one server
//	go run ./abuse -v COMMAND           # another server with the search tool
//	go run ./abuse -v -wire http COMMAND # another server, which serves HTTP with --http ADDR
//	go run ./abuse -group process,jp    # some groups
//	go run ./abuse -fuzz 100000 -seed 7 # more random arguments
//
// Over HTTP, the stdio trials run through a bridge that posts each line. The HTTP trials follow, each with
// a description of the result.
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
	"github.com/jptool/jptool/bench/internal/abusehttp"
	"github.com/jptool/jptool/bench/internal/build"
	"github.com/jptool/jptool/bench/internal/posts"
)

// settings are the values of the flags.
type settings struct {
	verbose bool
	only    string
	wires   []string
	groups  []string
	workers int
}

// The protocols of the trials, for the -wire flag.
const (
	stdio = "stdio"
	http  = "http"
)

func main() {
	var set settings
	flag.BoolVar(&set.verbose, "v", false, "print every fault of the first server, not only the number of faults")
	flag.StringVar(&set.only, "only", "", "test only the server with this `name`")
	wires := flag.String("wire", stdio+","+http, "the protocols (`wires`) to test")
	all := append(slices.Clone(abuse.Groups), abusehttp.Groups...)
	groups := flag.String("group", strings.Join(all, ","), "the `groups` of trials to run")
	flag.IntVar(&set.workers, "workers", 2, "number of concurrent trials")
	flag.IntVar(&abuse.Fuzzed, "fuzz", abuse.Fuzzed, "number of calls with random arguments for each tool")
	flag.Uint64Var(&abuse.Seed, "seed", abuse.Seed, "seed of the random arguments")
	bridge := flag.Bool("bridge", false, "serve MCP over stdio, and forward each message to a command that serves HTTP")
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

// check returns an error if a protocol or a group does not exist.
func (set settings) check(groups []string) error {
	for _, g := range set.groups {
		if !slices.Contains(groups, g) {
			return fmt.Errorf("unknown group %q (known: %s)", g, strings.Join(groups, ","))
		}
	}
	for _, w := range set.wires {
		if w != stdio && w != http {
			return fmt.Errorf("unknown -wire %q (known: %s, %s)", w, stdio, http)
		}
	}
	return nil
}

// run runs the trials over all protocols and returns the number of faults of the first server.
func run(ctx context.Context, command []string, set settings) (int, error) {
	subjects := []subject{{Subject: build.Subject{Name: "the server", Command: func(int) []string { return command }, HTTP: build.Address}}}
	if len(command) == 0 {
		var err error
		if subjects, err = buildSubjects(ctx, set.only); err != nil {
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

// buildSubjects builds the servers of the comparison, or only the server with the given name.
func buildSubjects(ctx context.Context, only string) ([]subject, error) {
	dir, err := filepath.Abs("_work")
	if err != nil {
		return nil, err
	}
	notice := func(text string) { fmt.Fprintln(os.Stderr, text) }
	workspace := build.Workspace{Dir: dir, Sizes: []int{1}}
	all, err := workspace.Make(ctx, notice)
	if err != nil {
		return nil, err
	}
	stress, err := workspace.Stress(ctx)
	if err != nil {
		return nil, err
	}
	var subjects []subject
	for _, s := range all {
		if s.Name == build.Baseline || only != "" && s.Name != only {
			continue // the baseline does not read requests
		}
		one := subject{Subject: s, baseline: workspace.Baseline}
		if s.Name == build.Jptool {
			one.stress = []string{stress}
		}
		subjects = append(subjects, one)
	}
	if len(subjects) == 0 {
		return nil, fmt.Errorf("unknown server %q", only)
	}
	return subjects, nil
}
