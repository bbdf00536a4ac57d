package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/jptool/jptool/bench/internal/abuse"
	"github.com/jptool/jptool/bench/internal/abusehttp"
	"github.com/jptool/jptool/bench/internal/build"
	"github.com/jptool/jptool/bench/internal/request"
)

// A subject is a server under test.
type subject struct {
	build.Subject
	stress   []string // command of jptool's server whose tools wait, ask, quote and crash; nil for servers of other SDKs
	baseline func(file string) []string
}

// target returns the commands with which the line trials start the server for a protocol.
func (s subject) target(wire string, era request.Era) (abuse.Target, error) {
	if wire == stdio {
		return abuse.Target{Command: s.Command(1), Stress: s.stress}, nil
	}
	self, err := os.Executable()
	if err != nil {
		return abuse.Target{}, err
	}
	bridge := []string{self, "-bridge", "--"}
	t := abuse.Target{Command: slices.Concat(bridge, s.Served(era)), HTTP: true}
	if s.stress != nil {
		t.Stress = slices.Concat(bridge, s.stress, s.HTTP(era))
	}
	return t, nil
}

// lines runs the line trials on all servers that support a protocol, prints a table and returns the number of
// faults of the first server.
func (set settings) lines(ctx context.Context, subjects []subject, wire string) (int, error) {
	var groups []string
	for _, g := range abuse.Groups {
		if slices.Contains(set.groups, g) {
			groups = append(groups, g)
		}
	}
	if len(groups) == 0 {
		return 0, nil
	}
	fmt.Printf("| passed trials, %s | %s | faults |\n|---|%s---|\n", wire, strings.Join(groups, " | "), strings.Repeat("---|", len(groups)))
	first := 0
	for i, s := range subjects {
		if wire == http && s.HTTP == nil {
			continue
		}
		report := func(era request.Era, t abuse.Trial, fault error) {
			if set.verbose && i == 0 {
				fmt.Fprintf(os.Stderr, "%s, %s, %s, %s, %s: %v\n", s.Name, wire, era, t.Group, t.Name, fault)
			}
		}
		faults, err := s.lines(ctx, wire, groups, set.workers, report)
		if err != nil {
			return 0, err
		}
		if i == 0 {
			first = faults
		}
	}
	fmt.Println()
	return first, nil
}

// lines runs the line trials, prints the server's row and returns its number of faults.
func (s subject) lines(ctx context.Context, wire string, groups []string, workers int, report func(request.Era, abuse.Trial, error)) (int, error) {
	count, faults := map[string]int{}, map[string]int{}
	for _, era := range request.Eras {
		target, err := s.target(wire, era)
		if err != nil {
			return 0, err
		}
		for t, err := range abuse.Run(ctx, target, abuse.Trials(era), groups, workers) {
			count[t.Group]++
			if err != nil {
				faults[t.Group]++
				report(era, t, err)
			}
		}
	}
	if ctx.Err() != nil {
		return 0, ctx.Err()
	}
	all := 0
	cells := make([]string, len(groups))
	for i, g := range groups {
		all += faults[g]
		if cells[i] = "–"; count[g] > 0 {
			cells[i] = fmt.Sprintf("%d/%d", count[g]-faults[g], count[g])
		}
	}
	fmt.Printf("| %s | %s | %d |\n", s.Name, strings.Join(cells, " | "), all)
	return all, nil
}

// detailed lists the servers whose verdicts are printed one by one.
var detailed = []string{build.Jptool, build.Typed, build.Plain}

// own runs the HTTP trials, prints the results, and returns the number of faults of the first server.
func (set settings) own(ctx context.Context, subjects []subject) (int, error) {
	trials := slices.DeleteFunc(abusehttp.Trials(), func(t abusehttp.Trial) bool { return !slices.Contains(set.groups, t.Group) })
	if len(trials) == 0 {
		return 0, nil
	}
	var names []string
	var columns [][]abusehttp.Verdict
	for _, s := range subjects {
		if s.HTTP == nil || len(subjects) > 1 && !slices.Contains(detailed, s.Name) {
			continue
		}
		names = append(names, s.Name)
		columns = append(columns, abusehttp.Run(ctx, s.service(), trials, func(v abusehttp.Verdict) {
			if set.verbose {
				fmt.Fprintf(os.Stderr, "%s, %s, %s, %s: %s\n", s.Name, v.Era, v.Group, v.Name, v)
			}
		}))
		if ctx.Err() != nil {
			return 0, ctx.Err()
		}
	}
	if len(columns) == 0 {
		return 0, nil
	}
	return verdicts(names, columns), nil
}

// service returns the commands with which the HTTP trials start the server.
func (s subject) service() abusehttp.Target {
	t := abusehttp.Target{Name: s.Name, Search: s.Served, Most: s.Most, Baseline: s.baseline}
	t.Wait = func(era request.Era) []string { return append(slices.Clone(s.Served(era)), "-wait") }
	if s.stress != nil {
		t.Wait = func(era request.Era) []string { return slices.Concat(s.stress, s.HTTP(era)) }
	}
	return t
}

// verdicts prints a row for each trial and a column for each server, and returns the number of faults of the
// first server.
func verdicts(names []string, columns [][]abusehttp.Verdict) int {
	fmt.Printf("| | | | %s |\n|---|---|---|%s\n", strings.Join(names, " | "), strings.Repeat("---|", len(names)))
	counts := make([]int, len(columns))
	for row, v := range columns[0] {
		cells := make([]string, len(columns))
		for i, column := range columns {
			cells[i] = strings.ReplaceAll(column[row].String(), "|", "\\|")
			if column[row].Err != nil {
				counts[i]++
			}
		}
		fmt.Printf("| %s | %s | %s | %s |\n", v.Group, v.Name, v.Era, strings.Join(cells, " | "))
	}
	fmt.Print("| faults | | |")
	for _, n := range counts {
		fmt.Printf(" %d |", n)
	}
	fmt.Println()
	return counts[0]
}
