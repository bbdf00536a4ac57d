package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// A step is a fenced block of a page and the comment before it.
type step struct {
	line                int
	kind, remark, block string
}

var (
	fence     = regexp.MustCompile("(?m)(?:^ *<!-- (.*) -->\n)?^( *)```([a-z]+)\n((?s:.*?))^ *```$")
	generated = regexp.MustCompile("(?s)<!-- generated: .*?<!-- end -->")
)

// steps returns the blocks of a page, except those in generated parts, which have separate tests.
func steps(t *testing.T, page string) (all []step) {
	t.Helper()
	data, err := os.ReadFile("../../docs/" + page)
	if err != nil {
		t.Fatal(err)
	}
	text := generated.ReplaceAllStringFunc(string(data), func(part string) string { return strings.Repeat("\n", strings.Count(part, "\n")) })
	for _, m := range fence.FindAllStringSubmatchIndex(text, -1) {
		block := strings.ReplaceAll("\n"+text[m[8]:m[9]], "\n"+text[m[4]:m[5]], "\n")[1:] // without its indentation
		s := step{line: 1 + strings.Count(text[:m[0]], "\n"), kind: text[m[6]:m[7]], block: block}
		if m[2] >= 0 {
			s.remark = text[m[2]:m[3]]
		}
		all = append(all, s)
	}
	code := slices.DeleteFunc(slices.Clone(all), func(s step) bool { return s.kind != "go" })
	if n := strings.Count(text, "```go"); n != len(code) {
		t.Fatalf("%s: the test can read only %d of %d Go blocks; write ```go on its own line", page, len(code), n)
	}
	return all
}

// The blocks of the tutorial are run in order and print the output that the page shows.
func TestTutorial(t *testing.T) {
	skipIfShort(t)
	t.Parallel()
	runPage(t, "tutorial.md", sameDir(t), 15)
}

// The guide describes one server. The test writes its files and then runs the commands in order.
func TestGuide(t *testing.T) {
	skipIfShort(t)
	t.Parallel()
	dir := filepath.Join(sameDir(t), "notes")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	requireHere(t, dir, "example.com/notes")
	for _, s := range steps(t, "guide.md") {
		if s.kind != "go" {
			continue
		}
		if err := os.WriteFile(filepath.Join(dir, s.file(t, "guide.md")), []byte(complete("main", s.block)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	runPage(t, "guide.md", dir, 8)
}

// file returns the name of the file that a Go block belongs to.
func (s step) file(t *testing.T, page string) string {
	t.Helper()
	name, ok := strings.CutPrefix(s.remark, "file: ")
	if !ok {
		t.Fatalf("%s:%d: a Go block must be preceded by a comment with its file name", page, s.line)
	}
	return name
}

// The Go blocks of the other pages compile together with testdata/pages.txtar, and the tests in them pass.
func TestPages(t *testing.T) {
	skipIfShort(t)
	t.Parallel()
	const block = "// BLOCK\n"
	archive, err := txtar.ParseFile("testdata/pages.txtar")
	if err != nil {
		t.Fatal(err)
	}
	sources := map[string]string{}
	for _, f := range archive.Files {
		sources[f.Name] = string(f.Data)
	}
	pages, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range append(pages, "../../docs/../README.md") {
		page := strings.TrimPrefix(path, "../../docs/")
		for _, s := range steps(t, page) {
			if s.kind != "go" || page == "guide.md" || strings.HasPrefix(s.remark, "This file is a script of the test-suite: ") {
				continue
			}
			name := strings.TrimSuffix(filepath.Base(page), ".md") + "/" + s.file(t, page)
			source, ok := sources[name]
			if ok && !strings.Contains(source, block) {
				t.Errorf("%s:%d: the file %s already has a block", page, s.line, name)
			}
			sources[name] = strings.Replace(cmp.Or(source, block), block, s.block, 1)
		}
	}
	dir := sameDir(t)
	requireHere(t, dir, "example.com/pages")
	for name, source := range sources {
		path := filepath.Join(dir, name)
		if strings.Contains(source, block) {
			t.Errorf("no page has a block for %s", name)
		}
		if filepath.Ext(name) == ".go" {
			source = complete(filepath.Base(filepath.Dir(name)), source, "example.com/pages/notes", "example.com/pages/servers/notesclient")
		}
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(source), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	for _, line := range []string{
		"jptoolgen ./...", "jptoolgen client --package notesclient -o servers/notesclient/client.go servers/notes/jp.lock.json", "go test ./...", "jptoolgen vet ./vet/...",
	} {
		run(t, "pages", dir, pageEnvironment(t), line, "", 0)
	}
}

// runPage runs the blocks of a page in dir, and fails if fewer than least of them are commands.
func runPage(t *testing.T, page, dir string, least int) {
	t.Helper()
	env := pageEnvironment(t)
	commands := 0
	for _, s := range steps(t, page) {
		at := fmt.Sprintf("%s:%d", page, s.line)
		name, value, _ := strings.Cut(s.remark, ": ")
		switch name {
		case "not run":
			continue
		case "in notes":
			dir = filepath.Join(dir, "notes")
			requireHere(t, dir, "example.com/notes")
		case "conflict":
			for _, file := range strings.Fields(value) {
				conflict(t, filepath.Join(dir, file))
			}
		}
		switch s.kind {
		case "diff":
			if name != "edit" {
				t.Fatalf("%s: a diff must be preceded by a comment with its file name", at)
			}
			edit(t, at, filepath.Join(dir, value), s.block)
		case "go", "json": // the block shows an existing file, or data
		case "console":
			want := 0
			if name == "status" {
				want, _ = strconv.Atoi(value) // an invalid status becomes 0, which the test then reports
			}
			for _, c := range strings.Split("\n"+s.block, "\n$ ")[1:] {
				line, output, _ := strings.Cut(c, "\n")
				commands++
				run(t, at, dir, env, line, strings.TrimSuffix(output, "\n"), want)
			}
		default:
			t.Fatalf("%s: unknown kind of block %q", at, s.kind)
		}
		if t.Failed() {
			return
		}
	}
	if commands < least {
		t.Errorf("%s: found only %d commands; has the format of the page changed?", page, commands)
	}
}

// pageEnvironment returns the environment of commands.
func pageEnvironment(t *testing.T) []string {
	env := append(os.Environ(), "GOPROXY=off", goFlags, "NO_COLOR=1", "HOME="+t.TempDir(), "XDG_CACHE_HOME="+t.TempDir())
	return append(env, environment(t, "GOCACHE", "GOMODCACHE", "GOROOT")...)
}

// conflict replaces a file with a merge conflict whose two sides are equal.
func conflict(t *testing.T, path string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text := "<<<<<<< HEAD\n" + string(data) + "=======\n" + string(data) + ">>>>>>> other\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// edit applies a diff to a file: it replaces the lines that the diff removes or keeps with those that it keeps
// or adds.
func edit(t *testing.T, at, path, diff string) {
	t.Helper()
	var old, new strings.Builder
	for line := range strings.Lines(diff) {
		switch {
		case strings.HasPrefix(line, "-"):
			old.WriteString(line[1:])
		case strings.HasPrefix(line, "+"):
			new.WriteString(line[1:])
		default:
			old.WriteString(line[1:])
			new.WriteString(line[1:])
		}
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%s: %v", at, err)
	}
	if n := strings.Count(string(data), old.String()); n != 1 {
		t.Fatalf("%s: %s has these lines %d times:\n%s", at, path, n, old.String())
	}
	if err := os.WriteFile(path, []byte(strings.Replace(string(data), old.String(), new.String(), 1)), 0o644); err != nil {
		t.Fatal(err)
	}
}

// run runs a command line and compares its output on both streams.
func run(t *testing.T, at, dir string, env []string, line, want string, status int) {
	t.Helper()
	if line == "go mod tidy" { // the command requires a network; requireHere replaces it
		return
	}
	argv := words(line)
	cmd := exec.CommandContext(t.Context(), argv[0], argv[1:]...)
	cmd.Dir, cmd.Env = dir, env
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatalf("%s: %s: %v", at, line, err)
	}
	if got := cmd.ProcessState.ExitCode(); got != status {
		t.Errorf("%s: %s exits with status %d, want %d:\n%s", at, line, got, status, out)
		return
	}
	if want == "" {
		return
	}
	pattern := "^" + strings.ReplaceAll(regexp.QuoteMeta(want), "…", "(?s:.*)") + "\n?$"
	if !regexp.MustCompile(pattern).Match(out) {
		t.Errorf("%s: %s prints\n%s\nwant\n%s", at, line, out, want)
	}
}

var word = regexp.MustCompile(`"[^"]*"|\S+`)

// words splits a command line at spaces outside quotes.
func words(line string) []string {
	all := word.FindAllString(line, -1)
	for i, w := range all {
		all[i] = strings.Trim(w, `"`)
	}
	return all
}
