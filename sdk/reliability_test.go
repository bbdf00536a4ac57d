package sdk_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Every promise names, for each transport, the tests that check it. Each of these tests exists.
func TestPromisesAreHeldByTests(t *testing.T) {
	page, err := os.ReadFile("../docs/reliability.md")
	if err != nil {
		t.Fatal(err)
	}
	all := tests(t)
	var transports []string // columns of the table
	promises := map[string]int{}
	for line := range strings.Lines(string(page)) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), " | ")
		switch {
		case strings.HasPrefix(line, "| event | "):
			transports = nil
			for _, name := range cells[2:] {
				transports = append(transports, strings.TrimSpace(name))
			}
		case !strings.HasPrefix(line, "|"):
			transports = nil
		case transports != nil && !strings.HasPrefix(line, "|-"):
			if len(cells) != 2+len(transports) {
				t.Errorf("%d cells, want one for each of %q: %s", len(cells), transports, line)
				continue
			}
			held := false
			for i, transport := range transports {
				if missing := missingTests(cells[2+i], all); missing != "" {
					t.Errorf("%s: %s: %s", transport, missing, line)
				} else if strings.TrimSpace(cells[2+i]) != noPromise {
					promises[transport]++
					held = true
				}
			}
			if !held {
				t.Errorf("no test holds %s", line)
			}
		}
	}
	for transport, least := range map[string]int{"stdio": 45, "HTTP": 55, "`Server.Call`": 15, "one-shot": 20} {
		if promises[transport] < least {
			t.Errorf("%s: the page makes %d promises, want %d", transport, promises[transport], least)
		}
	}
}

// noPromise is the cell of a transport without a promise.
const noPromise = "–"

// missingTests returns what is missing in a cell, or "" if it names existing tests or makes no promise.
func missingTests(cell string, tests []string) string {
	if strings.TrimSpace(cell) == noPromise {
		return ""
	}
	names := regexp.MustCompile("`([^`]*)`").FindAllStringSubmatch(cell, -1)
	if len(names) == 0 {
		return "the cell names no test"
	}
	for _, name := range names {
		if !slices.Contains(tests, name[1]) {
			return "there is no " + name[1]
		}
	}
	return ""
}

// A cell whose test is renamed or missing is reported.
func TestCellsWithoutTests(t *testing.T) {
	for cell, want := range map[string]string{
		" – ": "", "`TestA`": "", "`TestA` `TestB`": "", "": "the cell names no test", "yes": "the cell names no test",
		"`TestC`": "there is no TestC", "`TestA` `Test`": "there is no Test", "– `TestC`": "there is no TestC",
	} {
		if got := missingTests(cell, []string{"TestA", "TestB"}); got != want {
			t.Errorf("%q: %q, want %q", cell, got, want)
		}
	}
}

// The flags that the page mentions exist.
func TestFlagsOfTheLimits(t *testing.T) {
	page, err := os.ReadFile("../docs/reliability.md")
	if err != nil {
		t.Fatal(err)
	}
	help, err := command(t, "--help").Output()
	if err != nil {
		t.Fatal(err)
	}
	flags := regexp.MustCompile("`(--[a-z-]+)`").FindAllStringSubmatch(string(page), -1)
	if len(flags) < 3 {
		t.Errorf("the page names the flags %v", flags)
	}
	for _, flag := range flags {
		if !strings.Contains(string(help), flag[1]+" ") {
			t.Errorf("%s is not a flag", flag[1])
		}
	}
}

// tests returns the names of the tests and fuzz targets of the module.
func tests(t *testing.T) []string {
	t.Helper()
	var all []string
	declared := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name := d.Name(); d.IsDir() && name != ".." && (strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || name == "testdata") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, "_test.go") {
			return nil
		}
		data, err := os.ReadFile(path)
		for _, m := range declared.FindAllStringSubmatch(string(data), -1) {
			all = append(all, m[1])
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(all) == 0 {
		t.Fatal("there are no tests")
	}
	return all
}
