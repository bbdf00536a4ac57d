package sdk_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"
)

const dependenciesPage = "../docs/dependencies.md"

// programs maps the names that the documentation page gives to programs to the packages whose
// dependencies are checked.
var programs = map[string]string{
	"server":    "./internal/fixture",
	"jptoolgen": "./cmd/jptoolgen",
	"grizzly":   "./examples/grizzly",
	"bookworm":  "./examples/bookworm",
}

// A linkedModule is a module with its linked packages and the programs that link them.
type linkedModule struct {
	Path string
	Dir  string
	into []string
}

// goList runs the go command in the root of the module.
func goList(t *testing.T, goos string, args ...string) []byte {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list"}, args...)...)
	cmd.Dir, cmd.Stderr = "..", os.Stderr
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+goos)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list %v: %v", args, err)
	}
	return out
}

// linkedModules returns every module that a program links on any system, keyed by path.
func linkedModules(t *testing.T) map[string]*linkedModule {
	t.Helper()
	all := map[string]*linkedModule{}
	for _, goos := range []string{"linux", "darwin", "windows"} {
		for name, dir := range programs {
			list := json.NewDecoder(bytes.NewReader(goList(t, goos, "-deps", "-json=Module", dir)))
			for {
				var p struct{ Module *linkedModule }
				if err := list.Decode(&p); errors.Is(err, io.EOF) {
					break
				} else if err != nil {
					t.Fatal(err)
				}
				if p.Module == nil || p.Module.Path+"/" == module {
					continue
				}
				m := all[p.Module.Path]
				if m == nil {
					m = p.Module
					all[m.Path] = m
				}
				if !slices.Contains(m.into, name) {
					m.into = append(m.into, name)
				}
			}
		}
	}
	if all["github.com/modelcontextprotocol/go-sdk"] == nil {
		t.Fatal("go list shows no dependency")
	}
	return all
}

// table returns the rows of the table under a heading of the page, keyed by their first cell.
func table(t *testing.T, heading string) map[string][]string {
	t.Helper()
	rows := map[string][]string{}
	for _, cells := range section(t, heading) {
		rows[strings.Trim(cells[0], "`")] = cells[1:]
	}
	return rows
}

// section returns the cells of the rows of the table under a heading of the page.
func section(t *testing.T, heading string) (rows [][]string) {
	t.Helper()
	data, err := os.ReadFile(dependenciesPage)
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(data), "\n## "+heading+"\n")
	text, _, _ = strings.Cut(text, "\n## ")
	for line := range strings.Lines(text) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		if len(cells) > 2 && strings.Contains(line, "`") {
			rows = append(rows, cells)
		}
	}
	if len(rows) == 0 {
		t.Fatalf("%s has no table under %q", dependenciesPage, heading)
	}
	return rows
}

// holdNames fails the test for each name that only the page or only the module contains.
func holdNames[A, B any](t *testing.T, page map[string]A, real map[string]B) {
	t.Helper()
	for name := range real {
		if _, ok := page[name]; !ok {
			t.Errorf("%s lacks %s", dependenciesPage, name)
		}
	}
	for name := range page {
		if _, ok := real[name]; !ok {
			t.Errorf("%s has %s, which is not such a dependency", dependenciesPage, name)
		}
	}
}

func TestEveryDependencyHasAReason(t *testing.T) {
	data, err := os.ReadFile("../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	mod, err := modfile.Parse("go.mod", data, nil)
	if err != nil {
		t.Fatal(err)
	}
	direct := map[string]bool{}
	for _, r := range mod.Require {
		isTool := slices.ContainsFunc(mod.Tool, func(tool *modfile.Tool) bool { return isWithin(tool.Path, r.Mod.Path) })
		if !r.Indirect || isTool {
			direct[r.Mod.Path] = true
		}
	}
	rows := table(t, "Direct dependencies")
	holdNames(t, rows, direct)
	for name, cells := range rows {
		if len(cells) != 3 || slices.Contains(cells, "") {
			t.Errorf("%s: the row of %s says %q", dependenciesPage, name, cells)
		}
	}
}

// Users run the modules that an author's server links, so each one must be added to the page
// on purpose.
func TestLinkedModules(t *testing.T) {
	modules, rows := linkedModules(t), map[string][]string{}
	for _, cells := range section(t, "Linked modules") {
		for name := range strings.SplitSeq(cells[2], ", ") {
			rows[strings.Trim(name, "`")] = []string{cells[1], cells[0]}
		}
	}
	holdNames(t, rows, modules)
	server := 0
	for name, m := range modules {
		slices.Sort(m.into)
		into, license := strings.Join(m.into, ", "), strings.Join(licensesOf(t, m.Dir), ", ")
		if rows[name] != nil && !slices.Equal(rows[name], []string{license, into}) {
			t.Errorf("%s: %s has the license %q and is linked into %q, the page says %q", dependenciesPage, name, license, into, rows[name])
		}
		for _, l := range strings.Split(license, ", ") {
			onlyExamples := slices.Equal(m.into, []string{"grizzly"})
			if !slices.Contains(allowed, l) && !(l == "MPL-2.0" && onlyExamples) {
				t.Errorf("%s has the license %q, which is not allowed in %s", name, l, into)
			}
		}
		if slices.Contains(m.into, "server") {
			server++
		}
	}
	if server != 5 {
		t.Errorf("a server links %d modules, not 5", server)
	}
}

var allowed = []string{"MIT", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0", "ISC"}

// phrases are unique to a license, in lower case with single spaces.
var phrases = map[string]*regexp.Regexp{
	"Apache-2.0":   regexp.MustCompile(`apache license,? version 2\.0, january 2004|licensed under the apache license, version 2\.0`),
	"MIT":          regexp.MustCompile(`permission is hereby granted, free of charge, to any person obtaining a copy of this software`),
	"BSD-3-Clause": regexp.MustCompile(`redistribution and use in source and binary forms.*neither the names?`),
	"BSD-2-Clause": regexp.MustCompile(`redistribution and use in source and binary forms`),
	"ISC":          regexp.MustCompile(`permission to use, copy, modify, and(/or)? distribute this software for any purpose with or without fee`),
	"MPL-2.0":      regexp.MustCompile(`mozilla public license,? version 2\.0`),
	"GNU":          regexp.MustCompile(`gnu (lesser |affero )?general public license version|copies of this license document, but changing it is not allowed`),
	"SSPL":         regexp.MustCompile(`server side public license`),
	"BUSL":         regexp.MustCompile(`business source license`),
}

// classify returns the licenses whose phrases occur in a text, sorted.
func classify(text string) []string {
	plain := strings.ToLower(strings.Join(strings.Fields(text), " "))
	found := map[string]bool{}
	for name, phrase := range phrases {
		if phrase.MatchString(plain) {
			found[name] = true
		}
	}
	if found["BSD-3-Clause"] {
		delete(found, "BSD-2-Clause")
	}
	return slices.Sorted(maps.Keys(found))
}

// licensesOf returns the licenses of the module in dir.
func licensesOf(t *testing.T, dir string) []string {
	t.Helper()
	var text strings.Builder
	for _, name := range []string{"LICENSE", "LICENSE.md", "LICENSE.txt", "LICENCE", "COPYING"} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		text.Write(data)
	}
	return classify(text.String())
}

func TestLicensesAreClassified(t *testing.T) {
	for _, tc := range []struct{ text, want string }{
		{"", ""},
		{"All rights reserved.", ""},
		{"GNU GENERAL PUBLIC LICENSE\n   Version 3, 29 June 2007", "GNU"},
		{"GNU LESSER GENERAL PUBLIC LICENSE Version 2.1", "GNU"},
		{"Server Side Public License\nVERSION 1", "SSPL"},
		{"Business Source License 1.1", "BUSL"},
		{"Mozilla Public License Version 2.0", "MPL-2.0"},
		{"Redistribution and use in source and\nbinary forms, with or without", "BSD-2-Clause"},
		{"Redistribution and use in source and binary forms. * Neither the name of", "BSD-3-Clause"},
		{"Apache License\n Version 2.0, January 2004\n---\nPermission is hereby granted, free of charge, to any person obtaining a copy of this software", "Apache-2.0 MIT"},
	} {
		if got := strings.Join(classify(tc.text), " "); got != tc.want {
			t.Errorf("%q is classified as %q, want %q", tc.text, got, tc.want)
		}
	}
}
