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

// Every promise names the tests that hold it, and each of them exists.
func TestPromisesAreHeldByTests(t *testing.T) {
	page, err := os.ReadFile("../docs/reliability.md")
	if err != nil {
		t.Fatal(err)
	}
	all := tests(t)
	promises, inTable := 0, false
	for line := range strings.Lines(string(page)) {
		switch {
		case strings.HasPrefix(line, "| what happens"):
			inTable = true
		case !strings.HasPrefix(line, "|"):
			inTable = false
		case inTable && !strings.HasPrefix(line, "|-"):
			promises++
			names := regexp.MustCompile("`((?:Test|Fuzz)[A-Z][A-Za-z0-9]*)`").FindAllStringSubmatch(line, -1)
			if len(names) == 0 {
				t.Errorf("no test holds %s", line)
			}
			for _, name := range names {
				if !slices.Contains(all, name[1]) {
					t.Errorf("there is no %s, which is to hold %s", name[1], line)
				}
			}
		}
	}
	if promises < 30 {
		t.Errorf("the page makes %d promises", promises)
	}
}

// The flags that the page names are flags.
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
			t.Errorf("%s is no flag", flag[1])
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
