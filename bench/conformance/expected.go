package main

import (
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
)

// An expectation is a line of expected.txt.
type expectation struct {
	transport, version, scenario, check string
	line                                int
}

type expectations []expectation

// readExpected reads the known findings.
func readExpected(file string) (expectations, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var all expectations
	for i, line := range strings.Split(string(text), "\n") {
		fields := strings.Fields(line)
		if len(fields) == 0 || fields[0][0] == '#' {
			continue
		}
		if len(fields) < 5 {
			return nil, fmt.Errorf("%s:%d: a line needs transport, version, scenario, check and reason", file, i+1)
		}
		all = append(all, expectation{fields[0], fields[1], fields[2], fields[3], i + 1})
	}
	return all, nil
}

// compare returns the unexpected findings of a run, and the expected findings that are missing.
func (all expectations) compare(transport, version string, r *results) (wrong []string) {
	all = slices.DeleteFunc(slices.Clone(all), func(e expectation) bool {
		return !matches(e.transport, transport) || !matches(e.version, version)
	})
	met := make([]bool, len(all))
	for _, f := range r.findings {
		known := false
		for i, e := range all {
			if matches(e.scenario, f.Scenario) && matches(e.check, f.Check) {
				known, met[i] = true, true
			}
		}
		if !known {
			wrong = append(wrong, fmt.Sprintf("%s %s: %s: %s: %s", transport, version, f.Scenario, f.Check, f.Message))
		}
	}
	for i, e := range all {
		if !met[i] {
			wrong = append(wrong, fmt.Sprintf("%s %s: line %d expects %s %s, which did not occur; delete the line", transport, version, e.line, e.scenario, e.check))
		}
	}
	for _, name := range r.required {
		if !r.ran[name] {
			wrong = append(wrong, fmt.Sprintf("%s %s: %s did not run", transport, version, name))
		}
	}
	return wrong
}

func matches(pattern, name string) bool {
	ok, err := path.Match(pattern, name)
	return ok && err == nil
}
